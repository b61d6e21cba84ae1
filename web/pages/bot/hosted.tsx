import { useEffect, useState } from 'preact/hooks';
import { STYLES } from '../../../src/bots/strategies/style.js';
import { call, type Answer, type Body } from '../../lib/api.js';
import { count, percent } from '../../lib/format.js';
import { changed, useApi } from '../../lib/use-api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Check, useSending } from '../../ui/form.js';
import { TableLink } from '../../ui/links.js';
import { Figures, Section } from '../../ui/page.js';
import { Problem, Shown, Skeleton } from '../../ui/states.js';
import { When } from '../../ui/values.js';
import { OwnerPage } from './owner.js';

type Strategy = Body<'POST /api/bot/strategy'>;
type Saved = Answer<'GET /api/bot/strategy'>;
type Effective = Saved['effective'];
type Trait = Exclude<keyof Effective, 'template' | 'auto_rebuy'>;

const TEMPLATES: readonly (readonly [Effective['template'], string, string])[] = [
  ['shark', 'Shark', 'Plays few hands and plays them hard.'],
  ['rock', 'Rock', 'Waits for the best hands and folds the rest.'],
  ['gambler', 'Gambler', 'Plays almost everything, and raises with it.'],
  ['bluffer', 'Bluffer', 'Bets often without a hand.'],
  ['gto_lite', 'Balanced', 'Mixes its bets, so that it is hard to read.'],
  ['calling_station', 'Calling station', 'Calls too much and raises too little.'],
];

const TRAITS: readonly (readonly [Trait, string, string])[] = [
  ['vpip', 'Hands played', 'Share of starting hands it puts chips into'],
  ['pfr', 'Raised before the flop', 'Share of starting hands it raises'],
  ['three_bet', 'Raised again', 'Share of starting hands it raises a raise with'],
  ['aggression', 'Aggression', 'How much it bets and raises in the place of calling'],
  ['bluff', 'Bluffs', 'How often it bets without a hand'],
  ['call_down', 'Calls down', 'How light it calls to see the showdown'],
  ['balance', 'Balance', 'How much its bets mix strong and weak hands'],
  ['tilt', 'Tilt', 'How much a lost pot changes its play'],
];

/** A bot that the server runs: a style as a few numbers. */
export default function Hosted() {
  return <OwnerPage title="Hosted bot">{() => <Running />}</OwnerPage>;
}

function Running() {
  const status = useApi('GET /api/bot/status', {}, { every: 3000 });
  const strategy = useApi('GET /api/bot/strategy', {});
  return (
    <>
      <p class="lead prose">
        The server plays for you with a few numbers, without a program. It takes the seat over from your present bot.
      </p>
      <Section title="State">
        <Shown of={status} rows={5}>
          {(now) => <Status of={now} />}
        </Shown>
      </Section>
      {strategy.data === null ? (
        strategy.error === null ? (
          <Skeleton rows={8} />
        ) : (
          <Problem error={strategy.error} retry={strategy.reload} />
        )
      ) : (
        <Style saved={strategy.data} runs={status.data?.mode === 'hosted'} />
      )}
    </>
  );
}

function Status({ of }: { of: Answer<'GET /api/bot/status'> }) {
  const game = useApi('GET /api/me/active-game', {}, { every: 3000 });
  const reload = () => changed('/api/bot', '/api/me');
  return (
    <>
      <Figures
        of={[
          ['State', STATES[of.state]],
          ['Run by', of.mode === null ? 'nobody here' : of.mode === 'hosted' ? 'this server' : 'a browser'],
          ['Hands so far', count(of.hands_played)],
          ['Since', of.deployed_at === null ? 'never' : <When at={of.deployed_at} />],
          ['Table', game.data?.playing ? <TableLink id={game.data.table_id} /> : 'none'],
        ]}
      />
      {of.last_error !== null && <p class="form-error">{of.last_error}</p>}
      {of.state !== 'stopped' && (
        <p class="part">
          <ConfirmButton
            label="Stop it"
            title="Stop the bot"
            verb="Stop it"
            danger
            act={() => call('POST /api/bot/stop', {})}
            done={reload}
          >
            <p>It plays its hand to the end, gives its seat up, and its chips go back to the balance.</p>
          </ConfirmButton>
        </p>
      )}
    </>
  );
}

const STATES = { stopped: 'stopped', starting: 'starting', running: 'playing', error: 'cannot play' } as const;

function Style({ saved, runs }: { saved: Saved; runs: boolean }) {
  const [strategy, setStrategy] = useState<Strategy>(saved.strategy);
  const [effective, setEffective] = useState<Effective>(saved.effective);
  const [said, setSaid] = useState('');
  const sending = useSending();
  useEffect(() => {
    setStrategy(saved.strategy);
    setEffective(saved.effective);
  }, [saved]);
  const take = (answer: Saved) => {
    setStrategy(answer.strategy);
    setEffective(answer.effective);
  };
  const save = () =>
    sending.send(async () => {
      take(await call('POST /api/bot/strategy', { body: strategy }));
      setSaid(runs ? 'Saved. It plays so from its next hand on.' : 'Saved.');
    });
  const deploy = () =>
    sending.send(async () => {
      await call('POST /api/bot/deploy', { body: { mode: 'hosted', strategy } });
      setSaid('It is on its way to a table.');
      changed('/api/bot', '/api/me');
    });
  const choose = (template: Effective['template']) => {
    setSaid('');
    const { threeBet, callDown, ...style } = STYLES[template];
    const auto_rebuy = strategy.auto_rebuy ?? effective.auto_rebuy;
    setStrategy({ template, auto_rebuy });
    setEffective({ template, ...style, three_bet: threeBet, call_down: callDown, auto_rebuy });
  };
  return (
    <Section title="How it plays">
      <div class="templates" role="group" aria-label="Template">
        {TEMPLATES.map(([key, name, words]) => (
          <button
            key={key}
            type="button"
            class="template"
            aria-pressed={effective.template === key}
            disabled={sending.busy}
            onClick={() => choose(key)}
          >
            <strong>{name}</strong>
            <span>{words}</span>
          </button>
        ))}
      </div>
      <div class="columns sliders">
        {TRAITS.map(([trait, name, words]) => (
          <div class="field" key={trait}>
            <label for={`trait-${trait}`}>
              {name} <span class="figure soft">{percent(strategy[trait] ?? effective[trait], 0)}</span>
            </label>
            <input
              id={`trait-${trait}`}
              type="range"
              min="0"
              max="100"
              value={String(Math.round((strategy[trait] ?? effective[trait]) * 100))}
              onInput={({ currentTarget }) => {
                setSaid('');
                setStrategy({ ...strategy, [trait]: Number(currentTarget.value) / 100 });
              }}
              aria-describedby={`trait-${trait}-hint`}
            />
            <p class="hint" id={`trait-${trait}-hint`}>
              {words}
            </p>
          </div>
        ))}
      </div>
      <Check
        label="Automatic rebuys"
        checked={strategy.auto_rebuy ?? effective.auto_rebuy}
        onValue={(on) => setStrategy({ ...strategy, auto_rebuy: on })}
      />
      {sending.problem !== '' && (
        <p class="form-error" role="alert">
          {sending.problem}
        </p>
      )}
      <div class="row">
        <button type="button" class="main" disabled={sending.busy} onClick={() => void deploy()}>
          {runs ? 'Deploy it anew' : 'Let it play'}
        </button>
        <button type="button" class="quiet" disabled={sending.busy} onClick={() => void save()}>
          Save only
        </button>
        <span role="status" class="soft">
          {said}
        </span>
      </div>
    </Section>
  );
}
