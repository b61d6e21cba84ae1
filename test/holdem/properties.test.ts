/**
 * Properties of every hand, for any actions: chips, pots, legal actions and replays. They are compared with a second
 * rulebook.
 */
import fc from 'fast-check';
import t from 'tap';
import { drawCards, seededRandom } from '../../src/cards/shuffle.js';
import { Hand } from '../../src/holdem/hand.js';
import { actionsOf, postsOf, replay, type RecordedAction } from '../../src/holdem/record.js';
import { countSeats } from '../../src/holdem/seats.js';
import { Rulebook, type RulebookDecision } from '../../src/vectors/rulebook.js';
import { Act, MAX_SEATS, ActionRefusal, type HandSetup, type Legal } from '../../src/holdem/types.js';
import { FILE_MS } from '../support/limits.js';
import { SEED as seed } from '../support/seed.js';

t.setTimeout(FILE_MS);

/** fast-check prints the hand that fails. */
const check = (property: fc.IProperty<[Deal]>, numRuns = 1500): void => fc.assert(property, { seed, numRuns });

/** All that is needed to play a hand again; shares nothing with the hand it came from. */
function replayableHandOf(hand: Hand): { setup: HandSetup; actions: RecordedAction[] } {
  const { stacks, deck, ...rest } = hand.setup;
  return {
    setup: { ...rest, stacks: Array.from(stacks), deck: Array.from(deck.subarray(0, 2 * countSeats(hand.dealt) + 5)) },
    actions: actionsOf(hand.log),
  };
}

/** A random hand in few numbers, so that fast-check can make it smaller. */
interface Deal {
  stacks: number[];
  dealt: number;
  button: number;
  bigBlind: number;
  ring: boolean;
  /** Mask of seats that come back. */
  returns?: number;
  cards: number;
  choices: number[];
}

/** Stacks are often shorter than a blind, often equal, sometimes deep. */
const stack = fc.oneof(fc.integer({ min: 1, max: 25 }), fc.constantFrom(100, 200), fc.integer({ min: 1, max: 3000 }));

const deals: fc.Arbitrary<Deal> = fc.record({
  stacks: fc.array(stack, { minLength: MAX_SEATS, maxLength: MAX_SEATS }),
  dealt: fc.integer({ min: 1, max: 2 ** MAX_SEATS - 1 }).filter((mask) => (mask & (mask - 1)) !== 0),
  button: fc.nat(MAX_SEATS - 1),
  bigBlind: fc.constantFrom(2, 3, 20),
  ring: fc.boolean(),
  returns: fc.oneof(fc.constant(0), fc.nat(2 ** MAX_SEATS - 1)),
  cards: fc.nat(),
  choices: fc.array(fc.nat(9999), { maxLength: 60 }),
});

function setupOf(deal: Deal): HandSetup {
  const deck = new Uint8Array(2 * MAX_SEATS + 5);
  drawCards(deck, deck.length, seededRandom(deal.cards));
  let button = deal.button;
  while ((deal.dealt & (1 << button)) === 0) button = (button + 1) % MAX_SEATS;
  return {
    button,
    smallBlind: deal.bigBlind >> 1,
    bigBlind: deal.bigBlind,
    dealt: deal.dealt,
    returns: (deal.returns ?? 0) & deal.dealt,
    stacks: deal.stacks,
    deck,
    headsUpBlinds: deal.ring ? 'ring' : 'standard',
  };
}

interface Move {
  act: Act;
  amount?: number;
}

/** Everything that is offered, a raise by its least and its most. */
function offered(legal: Readonly<Legal>): Move[] {
  const moves: Move[] = [];
  if (legal.fold) moves.push({ act: Act.fold });
  if (legal.check) moves.push({ act: Act.check });
  if (legal.call > 0) moves.push({ act: Act.call });
  if (legal.raiseMax > 0) {
    moves.push({ act: Act.raise, amount: legal.raiseMin }, { act: Act.raise, amount: legal.raiseMax });
  }
  if (legal.allIn > 0) moves.push({ act: Act.allIn });
  return moves;
}

/** The choice-th offered move, a raise of any legal size; once the choices are used up, check or call. */
function pick(hand: Hand, choice: number | undefined): Move {
  const legal = hand.legal();
  if (choice === undefined) return { act: legal.check ? Act.check : Act.call };
  const moves = offered(legal);
  const move = moves[choice % moves.length]!;
  if (move.act !== Act.raise) return move;
  return { act: Act.raise, amount: legal.raiseMin + (choice % (legal.raiseMax - legal.raiseMin + 1)) };
}

/** A war of raises: mostly the least raise or a call, seldom all-in or a fold; calls once the choices are used up. */
const wars: fc.Arbitrary<Deal> = fc.record({
  stacks: fc.array(fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 20_000, max: 300_000 }) }, stack), {
    minLength: MAX_SEATS,
    maxLength: MAX_SEATS,
  }),
  dealt: fc.constantFrom(3, 31, 63),
  button: fc.nat(MAX_SEATS - 1),
  bigBlind: fc.constantFrom(2, 3),
  ring: fc.constant(false),
  cards: fc.nat(),
  choices: fc.noBias(fc.array(fc.nat(999), { minLength: 300, maxLength: 300 })),
});

function pickInWar(hand: Hand, choice = 999): Move {
  const legal = hand.legal();
  if (choice < 3 && legal.allIn > 0) return { act: Act.allIn };
  if (choice < 6 && legal.fold) return { act: Act.fold };
  // Heads-up a call ends the street, with more players only the calls of all do.
  const raises = hand.dealt === 3 ? 985 : 600;
  if (choice < raises && legal.raiseMin > 0) return { act: Act.raise, amount: legal.raiseMin };
  return { act: legal.check ? Act.check : Act.call };
}

/** Plays the deal; `look` is called before every decision and once at the end. */
function playThrough(deal: Deal, look: (hand: Hand, setup: HandSetup) => void = () => undefined, choose = pick): Hand {
  const setup = setupOf(deal);
  const hand = new Hand();
  hand.start(setup);
  for (let decision = 0; !hand.over; decision++) {
    look(hand, setup);
    const move = choose(hand, deal.choices[decision]);
    if (hand.act(move.act, move.amount) !== ActionRefusal.ok) throw new Error('an offered action was refused');
  }
  look(hand, setup);
  return hand;
}

const seatsOf = (mask: number): number[] => [0, 1, 2, 3, 4, 5].filter((seat) => (mask & (1 << seat)) !== 0);
const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0);
const dealtChips = (setup: HandSetup): number => sum(seatsOf(setup.dealt).map((seat) => setup.stacks[seat]!));

/** The whole visible state and the log as text, to see that nothing has changed. */
function snapshot(hand: Hand): string {
  const { street, actor, over, folded, allIn, pot, currentBet, boardCount, stack, bet, committed } = hand;
  const arrays = [stack, bet, committed].map((array) => Array.from(array).join());
  const bytes = Buffer.from(hand.log.bytes()).toString('hex');
  return JSON.stringify([street, actor, over, folded, allIn, pot, currentBet, boardCount, arrays, hand.legal(), bytes]);
}

void t.test('chips are conserved and no stack is negative at every step', (t) => {
  check(
    fc.property(deals, (deal) => {
      playThrough(deal, (hand, setup) => {
        if (hand.stack.some((chips) => chips < 0)) throw new Error(`negative stack: ${hand.stack.join()}`);
        const chips = dealtChips(setup);
        if (sum(hand.stack) + hand.pot !== chips) throw new Error('stacks and pot');
        if (sum(hand.stack) + sum(hand.committed) !== chips) throw new Error('stacks and commitments');
        if (hand.over && sum(hand.outcome.finalStacks) !== chips) throw new Error('final stacks');
      });
    }),
  );
  t.pass(`seed ${seed}`);
  t.end();
});

void t.test('payouts, pots and contributions are the same sum, and only eligible hands win', (t) => {
  check(
    fc.property(deals, (deal) => {
      const { outcome, dealt, folded, stack } = playThrough(deal);
      const { totalPot, pots, payouts, contributed, returned, returnedSeat, finalStacks } = outcome;
      if (sum(payouts) !== totalPot || sum(contributed) !== totalPot) throw new Error('payouts');
      if (sum(pots.map((pot) => pot.amount)) !== totalPot) throw new Error('pots');
      for (const { amount, eligible, winners } of pots) {
        if (amount <= 0 || winners === 0) throw new Error('a pot of nothing or for nobody');
        if ((winners & ~eligible) !== 0 || (eligible & folded) !== 0) throw new Error('a winner who may not win');
      }
      for (const seat of seatsOf(dealt)) {
        const back = seat === returnedSeat ? returned : 0;
        if (finalStacks[seat] !== stack[seat]! + payouts[seat]! + back) throw new Error('final stacks');
      }
    }),
  );
  t.pass(`seed ${seed}`);
  t.end();
});

void t.test('every hand ends within the bound that full raises set', (t) => {
  check(
    fc.property(deals, (deal) => {
      const hand = playThrough(deal);
      const players = seatsOf(deal.dealt).length;
      // A street is a round, and another after every raise; a raise adds a big blind or takes a stack.
      const raises = players + dealtChips(hand.setup) / deal.bigBlind;
      if (actionsOf(hand.log).length > players * (4 + raises)) throw new Error('too many actions');
    }),
  );
  t.pass(`seed ${seed}`);
  t.end();
});

void t.test('the offered actions are exactly those accepted, and a refused one changes nothing', (t) => {
  const amounts = (legal: Readonly<Legal>, hand: Hand): (number | undefined)[] => {
    const all = hand.bet[hand.actor]! + hand.stack[hand.actor]!;
    const edges = [legal.raiseMin, legal.raiseMax, hand.currentBet, hand.currentBet + legal.call, all];
    return [
      undefined,
      NaN,
      Infinity,
      -1,
      0,
      1,
      0.5,
      ...edges.flatMap((edge) => [edge - 1, edge, edge + 1, edge + 0.5]),
    ];
  };
  check(
    fc.property(deals, (deal) => {
      const played: Move[] = [];
      playThrough(deal, (hand, setup) => {
        const before = snapshot(hand);
        const legal = { ...hand.legal() };
        for (const act of Object.values(Act)) {
          const { raiseMin, raiseMax } = legal;
          for (const amount of act === Act.raise && !hand.over ? amounts(legal, hand) : [undefined]) {
            const isRaise = raiseMax > 0 && Number.isInteger(amount) && amount! >= raiseMin && amount! <= raiseMax;
            const isOffered = act === Act.raise ? isRaise : offered(legal).some((move) => move.act === act);
            if (isOffered) {
              const other = replayMoves(setup, played);
              if (other.act(act, amount) !== ActionRefusal.ok)
                throw new Error(`offered, but refused: ${act} ${amount}`);
            } else if (hand.act(act, amount) === ActionRefusal.ok) {
              throw new Error(`not offered, but accepted: ${act} ${amount}`);
            }
          }
        }
        if (snapshot(hand) !== before) throw new Error('a refused action changed the hand');
        if (!hand.over) played.push(pick(hand, deal.choices[played.length]));
      });
    }),
    300,
  );
  t.pass(`seed ${seed}`);
  t.end();
});

function replayMoves(setup: HandSetup, moves: readonly Move[]): Hand {
  const hand = new Hand();
  hand.start(setup);
  for (const { act, amount } of moves) hand.act(act, amount);
  return hand;
}

void t.test('the same record replays to the same state and the same bytes', (t) => {
  const used = new Hand();
  check(
    fc.property(deals, (deal) => {
      const hand = playThrough(deal);
      const record = replayableHandOf(hand);
      for (const target of [new Hand(), used]) {
        const again = replay(record.setup, record.actions, target);
        if (snapshot(again) !== snapshot(hand)) throw new Error('another hand');
        if (JSON.stringify(again.outcome) !== JSON.stringify(hand.outcome)) throw new Error('another outcome');
        if (JSON.stringify(replayableHandOf(again)) !== JSON.stringify(record)) throw new Error('another record');
      }
    }),
  );
  t.pass(`seed ${seed}`);
  t.end();
});

void t.test('a record that cannot have happened is refused', (t) => {
  const hand = playThrough({
    stacks: [500, 500, 500, 500, 500, 500],
    dealt: 7,
    button: 0,
    bigBlind: 20,
    ring: false,
    cards: 1,
    choices: [0],
  });
  const { setup, actions } = replayableHandOf(hand);
  t.throws(() => replay(setup, [{ ...actions[0]!, seat: 2 }]), /action 0/);
  t.throws(() => replay(setup, [actions[0]!, { seat: 1, act: Act.check, amount: 0 }]), /action 1/);
  t.throws(() => replay(setup, [...actions, actions[0]!]), new RegExp(`action ${actions.length}`));
  t.end();
});

void t.test('every decision and every final stack is what the rulebook says', (t) => {
  check(
    fc.property(deals, (deal) => {
      if (!deal.ring) requireByTheBook(deal, pick);
    }),
    3000,
  );
  t.pass(`seed ${seed}`);
  t.end();
});

void t.test('so it is in a war of raises, which has an end', (t) => {
  const reached = { raises: 0, actions: 0, allIn: 0 };
  check(
    fc.property(wars, (deal) => {
      const hand = requireByTheBook(deal, pickInWar, ({ raises, actions }, legal) => {
        if (legal.raiseMax > 0 && (raises >= 40 || actions >= 200)) throw new Error('a raise beyond the bound');
        if (raises >= 40) reached.raises++;
        else if (actions >= 200) reached.actions++;
        if (legal.raiseMax === 0 && legal.allIn > legal.call) reached.allIn++;
      });
      // Beyond the bound everybody may still go all-in once, and be answered by all.
      const most = 200 + MAX_SEATS * (MAX_SEATS + 4);
      if (hand.actions > most) throw new Error(`${hand.actions} actions in a hand`);
      const record = replayableHandOf(hand);
      const again = replay({ ...record.setup, unbounded: true }, record.actions);
      if (snapshot(again) !== snapshot(hand)) throw new Error('another hand');
    }),
    200,
  );
  for (const [what, times] of Object.entries(reached)) t.ok(times > 0, `${what}: ${times}`);
  t.end();
});

/** Plays the deal beside the rulebook: the same in every decision, and the same final stacks. */
function requireByTheBook(
  deal: Deal,
  choose: typeof pick,
  look: (hand: Hand, legal: Readonly<Legal>) => void = () => undefined,
): Hand {
  const setup = setupOf(deal);
  const order = inPlaces(setup);
  const book = bookOf(setup, order);
  const hand = new Hand();
  hand.start(setup);
  for (let decision = 0; ; decision++) {
    const faced = book.decision();
    if (JSON.stringify(faced) !== JSON.stringify(facedIn(hand, order))) {
      throw new Error(`${JSON.stringify(faced)} by the book, not ${JSON.stringify(facedIn(hand, order))}`);
    }
    if (faced === null) break;
    look(hand, hand.legal());
    const { act, amount } = choose(hand, deal.choices[decision]);
    const all = hand.bet[hand.actor]! + hand.stack[hand.actor]!;
    const raise = act === Act.raise || (act === Act.allIn && hand.legal().allIn > hand.legal().call);
    book.play(act === Act.fold ? 'fold' : raise ? { to: amount ?? all } : 'checkOrCall');
    hand.act(act, amount);
  }
  const finals = order.map((seat) => hand.outcome.finalStacks[seat]!);
  if (finals.join() !== book.finalStacks().join()) throw new Error(`${finals.join()} ≠ ${book.finalStacks().join()}`);
  return hand;
}

/** The dealt seats from the left of the button, as the rulebook counts places. */
function inPlaces(setup: HandSetup): number[] {
  const round = Array.from({ length: MAX_SEATS }, (_, i) => (setup.button + 1 + i) % MAX_SEATS);
  return round.filter((seat) => (setup.dealt & (1 << seat)) !== 0);
}

function bookOf(setup: HandSetup, order: number[]): Rulebook {
  const deck = Array.from(setup.deck);
  const n = order.length;
  return new Rulebook({
    stacks: order.map((seat) => setup.stacks[seat]!),
    button: n - 1,
    smallBlind: setup.smallBlind,
    bigBlind: setup.bigBlind,
    holes: order.map((_, place) => [deck[place]!, deck[n + place]!]),
    board: deck.slice(2 * n, 2 * n + 5),
    shortBlindPrice: 'full',
    returns: order.flatMap((seat, place) => ((setup.returns ?? 0) & (1 << seat) ? [place] : [])),
  });
}

function facedIn(hand: Hand, order: number[]): RulebookDecision | null {
  if (hand.over) return null;
  const { call, raiseMin, raiseMax, allIn } = hand.legal();
  return {
    seat: order.indexOf(hand.actor),
    street: hand.street,
    toCall: call,
    minTo: raiseMin === 0 ? null : raiseMin,
    maxTo: raiseMax === 0 ? null : raiseMax,
    allIn,
    pot: hand.pot,
    bets: order.map((seat) => hand.bet[seat]!),
    stacks: order.map((seat) => hand.stack[seat]!),
  };
}

void t.test('whatever is shown includes every winner, and who mucks wins nothing', (t) => {
  check(
    fc.property(deals, (deal) => {
      const { outcome, dealt, folded, allIn } = playThrough(deal);
      if (!outcome.showdown) {
        if (outcome.shown !== 0 || outcome.showOrder.length > 0) throw new Error('shown without a showdown');
        return;
      }
      const live = dealt & ~folded;
      if (outcome.showOrder.length !== seatsOf(live).length) throw new Error('somebody did not come to the showdown');
      if ((outcome.shown & (1 << outcome.showOrder[0]!)) === 0) throw new Error('the first to show must show');
      for (const { winners } of outcome.pots) if ((winners & ~outcome.shown) !== 0) throw new Error('a hidden winner');
      if (allIn !== 0 && outcome.shown !== live) throw new Error('a hidden hand in an all-in showdown');
    }),
  );
  t.pass(`seed ${seed}`);
  t.end();
});

void t.test('the generator of hands reaches the rare situations', (t) => {
  const seen = {
    shortBlind: 0,
    sidePot: 0,
    split: 0,
    uncontested: 0,
    mucked: 0,
    shortAllIn: 0,
    straightToShowdown: 0,
    returns: 0,
  };
  check(
    fc.property(deals, (deal) => {
      const hand = playThrough(deal, (at) => {
        if (!at.over && at.legal().raiseMax > 0 && at.legal().raiseMin === at.legal().raiseMax) seen.shortAllIn++;
      });
      const { outcome } = hand;
      if (hand.setup.stacks[hand.bigBlindSeat]! < deal.bigBlind) seen.shortBlind++;
      if (outcome.pots.length > 1) seen.sidePot++;
      if (outcome.pots.some(({ winners }) => seatsOf(winners).length > 1)) seen.split++;
      if (!outcome.showdown) seen.uncontested++;
      if (outcome.showdown && seatsOf(outcome.shown).length < outcome.showOrder.length) seen.mucked++;
      if (actionsOf(hand.log).length === 0) seen.straightToShowdown++;
      if (postsOf(hand.log).length > 2) seen.returns++;
    }),
    3000,
  );
  for (const [situation, times] of Object.entries(seen)) t.ok(times > 0, `${situation}: ${times}`);
  t.end();
});
