"""The portal: public pages over what was found. Server-rendered, no script, nothing from elsewhere."""
