"""Which urls next: queues over the state's columns, with politeness inside."""
