import json

from honeyguide.settings import CrawlOrder, all_settings
from honeyguide.strategies import STRATEGIES
from honeyguide.topics import TOPIC_MODELS
from tests.cli.conftest import Cli


def test_every_setting_is_listed(cli: Cli) -> None:
    table = cli("settings").stdout
    listed = json.loads(cli("settings", "--json").stdout)
    assert [setting["key"] for setting in listed] == [setting.key for setting in all_settings()]
    for setting in all_settings():
        assert setting.key in table
        assert setting.help.split()[0] in table
    assert max(map(len, table.splitlines())) <= 120


def test_the_written_order_is_the_default_one(cli: Cli) -> None:
    assert CrawlOrder.from_toml(cli("settings", "--toml").stdout, "--toml") == CrawlOrder()


def test_every_plugin_is_listed_with_its_settings(cli: Cli) -> None:
    strategies, topics = cli("strategies").stdout, cli("topics").stdout
    assert all(strategy.name in strategies for strategy in STRATEGIES)
    assert all(topic.name in topics for topic in TOPIC_MODELS)
    assert "n = 0, queue = 0" in strategies
