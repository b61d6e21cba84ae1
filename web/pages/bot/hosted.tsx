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
import { hostedTexts as texts } from '../../texts/bot.js';

type Strategy = Body<'POST /api/bot/strategy'>;
type Saved = Answer<'GET /api/bot/strategy'>;
type Effective = Saved['effective'];
type Trait = Exclude<keyof Effective, 'template' | 'auto_rebuy'>;

const TEMPLATES: readonly (readonly [Effective['template'], string, string])[] = [
  ['shark', texts.shark, texts.playsFewHandsAndPlays],
  ['rock', texts.rock, texts.waitsForTheBestHands],
  ['gambler', texts.gambler, texts.playsAlmostEverythingAndRaises],
  ['bluffer', texts.bluffer, texts.betsOftenWithoutAHand],
  ['gto_lite', texts.balanced, texts.mixesItsBetsSoThat],
  ['calling_station', texts.callingStation, texts.callsTooMuchAndRaises],
];

const TRAITS: readonly (readonly [Trait, string, string])[] = [
  ['vpip', texts.handsPlayed, texts.shareOfStartingHandsIt],
  ['pfr', texts.raisedBeforeTheFlop, texts.shareOfStartingHandsIt2],
  ['three_bet', texts.raisedAgain, texts.shareOfStartingHandsIt3],
  ['aggression', texts.aggression, texts.howMuchItBetsAnd],
  ['bluff', texts.bluffs, texts.howOftenItBetsWithout],
  ['call_down', texts.callsDown, texts.howLightItCallsTo],
  ['balance', texts.balance, texts.howMuchItsBetsMix],
  ['tilt', texts.tilt, texts.howMuchALostPot],
];

/** A bot that the server runs: a style as a few numbers. */
export default function Hosted() {
  return <OwnerPage title={texts.hostedBot}>{() => <Running />}</OwnerPage>;
}

function Running() {
  const status = useApi('GET /api/bot/status', {}, { every: 3000 });
  const strategy = useApi('GET /api/bot/strategy', {});
  return (
    <>
      <p class="lead prose">{texts.theServerPlaysForYou}</p>
      <Section title={texts.state}>
        <Shown of={status} rows={1}>
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
          [texts.state, STATES[of.state]],
          [texts.runBy, of.mode === null ? texts.nobodyHere : of.mode === 'hosted' ? texts.thisServer : texts.aBrowser],
          [texts.handsSoFar, count(of.hands_played)],
          [texts.since, of.deployed_at === null ? 'never' : <When at={of.deployed_at} />],
          [texts.table, game.data?.playing ? <TableLink id={game.data.table_id} /> : 'none'],
        ]}
      />
      {of.last_error !== null && <p class="form-error">{of.last_error}</p>}
      {of.state !== 'stopped' && (
        <p class="part">
          <ConfirmButton
            label={texts.stopIt}
            title={texts.stopTheBot}
            verb={texts.stopIt}
            danger
            act={() => call('POST /api/bot/stop', {})}
            done={reload}
          >
            <p>{texts.itPlaysItsHandTo}</p>
          </ConfirmButton>
        </p>
      )}
    </>
  );
}

const STATES = { stopped: 'stopped', starting: 'starting', running: 'playing', error: texts.cannotPlay } as const;

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
      setSaid(runs ? texts.savedItPlaysSoFrom : texts.saved);
    });
  const deploy = () =>
    sending.send(async () => {
      await call('POST /api/bot/deploy', { body: { mode: 'hosted', strategy } });
      setSaid(texts.itIsOnItsWay);
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
    <Section title={texts.howItPlays}>
      <div class="templates" role="group" aria-label={texts.template}>
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
        label={texts.rebuyByItself}
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
          {runs ? texts.deployItAnew : texts.letItPlay}
        </button>
        <button type="button" class="quiet" disabled={sending.busy} onClick={() => void save()}>
          {texts.saveOnly}
        </button>
        <span role="status" class="soft">
          {said}
        </span>
      </div>
    </Section>
  );
}
