import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { ActionName, BettingStreet } from '../../protocol/common.js';

/**
 * The protocol of lines: a bot in any language reads JSON lines on stdin and writes JSON lines on stdout. Authors read
 * docs/guides/training.md, "Any language". Amounts are chips.
 */

export const LINES_VERSION = 1;

const strict = { additionalProperties: false };
const Chips = Type.Integer({ minimum: 0 });
const Card = Type.String({ pattern: '^[2-9TJQKA][cdhs]$' });

/** As the `player_action` of protocol.md has it: `amount` is null for fold and check, a raise's is its raise-to total. */
const LineAction = Type.Object(
  {
    seat: Type.Integer({ minimum: 0 }),
    action: ActionName,
    amount: Type.Union([Chips, Type.Null()]),
    street: BettingStreet,
    stack: Chips,
    pot: Chips,
  },
  strict,
);

/** The fields of each turn. `actions` are those since the table's last line; all else replaces what was told. */
const TURN = {
  street: BettingStreet,
  board: Type.Array(Card, { maxItems: 5 }),
  pot: Chips,
  stacks: Type.Array(Chips),
  bets: Type.Array(Chips),
  actions: Type.Array(LineAction),
  can: Type.Array(ActionName),
  to_call: Chips,
  min_raise: Chips,
  max_raise: Chips,
};

/** The further fields of a hand's first turn. */
const BEGIN = {
  hand_id: Type.String(),
  seat: Type.Integer({ minimum: 0 }),
  button: Type.Integer({ minimum: 0 }),
  names: Type.Array(Type.String()),
  hole: Type.Array(Card, { minItems: 2, maxItems: 2 }),
};

const LineHand = Type.Union([Type.Object({ ...BEGIN, ...TURN }, strict), Type.Object(TURN, strict)]);
const AtTable = Type.Object({ t: Type.Integer({ minimum: 0 }), hand: LineHand }, strict);
const LineResult = Type.Object(
  { t: Type.Integer({ minimum: 0 }), hand_id: Type.String(), chips: Type.Integer() },
  strict,
);

/** The first line of a match, and of an environment. */
const LineHello = Type.Object(
  {
    version: Type.Literal(LINES_VERSION),
    seed: Type.Integer(),
    you: Type.String(),
    bots: Type.Array(Type.String()),
    stack: Chips,
    blinds: Type.Array(Chips, { minItems: 2, maxItems: 2 }),
    tables: Type.Integer({ minimum: 1 }),
  },
  strict,
);
export type LineHello = Static<typeof LineHello>;

/** A line to a bot. `see` is of environments alone: what the agents see that do not act. */
export const LineToBot = Type.Union([
  Type.Object({ hello: LineHello }, strict),
  Type.Object(
    {
      n: Type.Integer({ minimum: 1 }),
      decide: Type.Array(AtTable, { minItems: 1 }),
      see: Type.Optional(Type.Array(AtTable)),
      results: Type.Optional(Type.Array(LineResult)),
    },
    strict,
  ),
  Type.Object({ results: Type.Array(LineResult), see: Type.Optional(Type.Array(AtTable)) }, strict),
  Type.Object({ error: Type.String() }, strict),
  Type.Object({ report: Type.Unknown() }, strict),
]);
export type LineToBot = Static<typeof LineToBot>;

const HelloLine = Type.Object({ hello: Type.Object({ version: Type.Literal(LINES_VERSION) }) });
/** `action` is any value: one that the rules do not allow costs that turn, not the line. */
const ActionsLine = Type.Object({
  n: Type.Integer(),
  actions: Type.Array(
    Type.Object({ t: Type.Integer(), action: Type.Unknown(), amount: Type.Optional(Type.Unknown()) }),
  ),
});
const ResetLine = Type.Object({
  reset: Type.Object({ seed: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) }),
});
const LineOfBot = Type.Union([HelloLine, ActionsLine, ResetLine]);
export type LineOfBot = Static<typeof LineOfBot>;
export type BotActions = Static<typeof ActionsLine>['actions'];

const ofBot = Compile(LineOfBot);

/** A line of a bot; null where it is none of the protocol. */
export function readLine(text: string): LineOfBot | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  return ofBot.Check(value) ? value : null;
}
