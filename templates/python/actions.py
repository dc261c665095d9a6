"""The actions of this domain: functions with annotations.

manglecp action . AID.SPEAK.SAY.v1 --arg to=Ann      tries one"""
from manglecp.actions import action, serve


@action(aid="AID.SPEAK.SAY.v1", side_effects="none", idempotent=True)
def say(to: str, words: str = "Welcome!") -> str:
    """Say something to somebody.

    to: who it is
    """
    return f"{words} {to}"


if __name__ == "__main__":
    serve()
