#!/usr/bin/env python3
"""What harbor says of agents' sessions, for `tracefold fidelity --against`: steps, tool calls and results,
tokens.

harbor converts the logs of the agents that it runs to ATIF trajectories; its converters of Claude Code and
of Codex are what is asked here. `against-harbor.py --install DIR` makes a virtual environment in DIR with
the pinned version (this needs the network, and Python 3.12 or newer); afterwards, with
TRACEFOLD_OUTSIDE=DIR, nothing here needs a network.

A session is Codex's if its first record has a `payload`. tracefold does not read Codex yet: what is printed
of it is not compared until it does.
"""

import collections
import contextlib
import logging
import os
import pathlib
import sys
import tempfile

import sessions

VERSION = "0.26.0"
BY = f"harbor {VERSION}"

CLASSES = ("input", "output", "cache_creation", "cache_read")


def install(folder):
    if sys.version_info < (3, 12):
        sessions.fail("harbor needs Python 3.12 or newer: run this script with it")
    folder = pathlib.Path(folder)
    sessions.run([sys.executable, "-m", "venv", str(folder / "venv")])
    sessions.run([str(folder / "venv" / "bin" / "pip"), "install", "--quiet", f"harbor=={VERSION}"])
    print(f"harbor {VERSION} is in {folder}; set {sessions.FOLDER}={folder}", file=sys.stderr)


def enter():
    """Goes on in the virtual environment, in which harbor is."""
    python = sessions.folder() / "venv" / "bin" / "python"
    if not python.exists():
        sessions.fail(f"no harbor in {sessions.folder()}: `{sys.argv[0]} --install DIR` puts it there")
    if pathlib.Path(sys.prefix) != sessions.folder() / "venv":
        os.execv(python, [str(python), *sys.argv])
    from importlib.metadata import version

    if version("harbor") != VERSION:
        sessions.fail(f"{python} has harbor {version('harbor')}, not {VERSION}: install it anew")


def converters():
    """harbor's converters, by agent. Dollars are left out: they would be those of LiteLLM's price list, in
    which a cache write has one price for five minutes and for an hour."""
    from harbor.agents.installed.claude_code import ClaudeCode
    from harbor.agents.installed.codex import Codex

    class OfClaudeCode(ClaudeCode):
        """Keeps the id of the record that a step begins with: a place."""

        @staticmethod
        def _event_identity_extra(event):
            return {**ClaudeCode._event_identity_extra(event), "uuid": event.get("uuid")}

        def _estimate_step_costs(self, steps):
            return None

    class OfCodex(Codex):
        def _compute_cost_from_pricing(self, *_, **__):
            return None

    return {"claude-code": OfClaudeCode, "codex": OfCodex}


def agent_of(path):
    return "codex" if "payload" in next(sessions.records(path), {}) else "claude-code"


def convert(converter, path, agent):
    """The trajectory of a session, which alone is laid out in a folder as harbor leaves it after a run."""
    with tempfile.TemporaryDirectory() as logs:
        logs = pathlib.Path(logs)
        if agent == "codex":
            sessions.lay_out(path, logs / "sessions" / "2026" / "01" / "01")
        else:
            sessions.lay_out(path, logs / "sessions" / "projects" / "run")
        # What harbor logs is not ours to print.
        with contextlib.redirect_stdout(sys.stderr):
            return converter(logs_dir=logs).convert_trajectory(logs)


def main(paths):
    enter()
    logging.disable(logging.CRITICAL)
    by_agent = converters()
    for path in paths:
        agent = agent_of(path)
        try:
            trajectory = convert(by_agent[agent], path, agent)
        except Exception as error:  # noqa: BLE001: whatever it is, it is harbor's, and about this session
            sessions.reply(path, BY, skipped=f"harbor fails on it: {type(error).__name__}: {error}"[:300])
            continue
        if trajectory is None:
            sessions.reply(path, BY, skipped="harbor finds no steps in it")
            continue
        sessions.reply(path, BY, *state(trajectory.steps))


def state(steps):
    """The fields, and what each is made of."""
    fields = collections.Counter()
    places = collections.defaultdict(collections.Counter)
    tools = collections.Counter()
    models = collections.defaultdict(collections.Counter)
    unanswered = []

    def add(field, count, place):
        fields[field] += count
        if place:
            places[field][place] += count

    counts = ["calls", "prompts", "tool_calls", "results", *(f"tokens.{name}" for name in CLASSES)]
    for name in counts:
        fields[name] = 0
        places[name] = collections.Counter()
    for step in steps:
        extra = step.extra or {}
        place = extra.get("uuid")
        if step.source == "user" and not extra.get("is_sidechain"):
            add("prompts", 1, place)
        if step.source != "agent":
            continue
        add("calls", step.llm_call_count or 0, place)
        models["calls"][step.model_name] += step.llm_call_count or 0
        for name, tokens in split(step.metrics).items():
            add(f"tokens.{name}", tokens, place)
            models[name][step.model_name] += tokens
        answered = {result.source_call_id for result in step.observation.results} if step.observation else set()
        for call in step.tool_calls or []:
            add("tool_calls", 1, call.tool_call_id)
            tools[call.function_name] += 1
            if call.tool_call_id in answered:
                add("results", 1, call.tool_call_id)
            elif not extra.get("is_sidechain"):
                unanswered.append(call.tool_call_id)
    stated = {**fields, "steps": len(steps), "per_tool": tools, "dangling": unanswered}
    stated.update({f"by_model.{name}": by for name, by in models.items()})
    return stated, places


def split(metrics):
    """harbor's prompt tokens are input, cache reads and cache writes together."""
    if metrics is None:
        return {}
    extra = metrics.extra or {}
    created = extra.get("cache_creation_input_tokens") or 0
    read = metrics.cached_tokens or 0
    given = (metrics.prompt_tokens or 0) - read - created
    return dict(zip(CLASSES, (given, metrics.completion_tokens or 0, created, read)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--install"] and len(sys.argv) == 3:
        install(sys.argv[2])
    else:
        main(sys.argv[1:])
