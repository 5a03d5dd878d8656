"""Small self-play data for the tests of networks."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRIARCH = os.environ["TRIARCH_PROGRAM"]
PYTHON = sys.executable


def triarch(*arguments, code=0, **options):
    done = subprocess.run([TRIARCH, *map(str, arguments)], capture_output=True, timeout=300,
                          check=False, **options)
    assert done.returncode == code, (arguments, done.returncode, done.stderr.decode())
    return done


def play(folder, game, games, seed=1):
    """Plays games of `paranoid` and returns the folder of their samples."""
    data = pathlib.Path(folder) / f"{game}-{seed}"
    file = pathlib.Path(folder) / f"{game}-{seed}.yaml"
    file.write_text(f"""
game: {game}
mode: selfplay
bots: [{{bot: paranoid, net: none}}]
games: {games}
seed: {seed}
time_control: {{nodes: 10}}
adjudication: {{plies_max: 120}}
selfplay:
  temperature: [[0, 1.0]]
  shard_samples: 500
output: {{data: "{data}"}}
""", encoding="utf-8")
    triarch("run", file)
    return data
