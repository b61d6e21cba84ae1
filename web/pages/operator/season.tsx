import { useState } from 'preact/hooks';
import type { Answer } from '../../lib/api.js';
import { counted, duration } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Field } from '../../ui/form.js';
import { Figures, Section } from '../../ui/page.js';
import { Empty, Shown } from '../../ui/states.js';
import { Countdown } from '../../ui/values.js';
import { seasonTexts as texts } from '../../texts/operator.js';

type Room = Answer<'GET /api/admin/overview'>;

const EVERY_MS = 5000;

export function Season() {
  const room = useOperator('GET /api/admin/overview', {}, { every: EVERY_MS });
  return (
    <Section title={texts.season}>
      <Shown of={room}>
        {(of) =>
          of.season === null ? (
            <Empty>
              <p>{texts.noSeasonIsActiveYet}</p>
            </Empty>
          ) : (
            <Active season={of.season} room={of} />
          )
        }
      </Shown>
    </Section>
  );
}

function Active({ season, room }: { season: NonNullable<Room['season']>; room: Room }) {
  const [seconds, setSeconds] = useState('300');
  const { season_number, end_date } = season;
  const number = String(season_number);
  const end = (in_seconds: number) => act('POST /api/admin/season/end', { body: { season_number, in_seconds } });
  const done = () => changed('/api/admin/overview', '/api/admin/log', '/api/season');
  const tables = counted(room.play.tables, 'table');
  const will = texts.closeHandsInProgressAre(tables);
  return (
    <>
      <Figures
        of={[
          [texts.season, number],
          [season.winding_down ? texts.windsDownEndsIn : texts.endsIn, <Countdown key="end" to={end_date} />],
          [texts.tables, room.play.tables],
        ]}
      />
      <div class="part">
        <Field
          label={texts.secondsUntilItEnds}
          type="number"
          min="0"
          step="1"
          value={seconds}
          onValue={setSeconds}
          hint={texts.timeForAWindDown}
        />
        <div class="row">
          <ConfirmButton
            label={texts.endItThen}
            title={texts.endSeasonIn(number, duration(Number(seconds)))}
            verb={texts.endTheSeasonThen}
            typed={number}
            danger
            act={() => end(Number(seconds))}
            done={done}
          >
            <p>
              {texts.inWord}
              {duration(Number(seconds))}: {will}
            </p>
          </ConfirmButton>
          <ConfirmButton
            label={texts.endItNow}
            title={texts.endSeasonNow(number)}
            verb={texts.endTheSeason}
            typed={number}
            danger
            act={() => end(0)}
            done={done}
          >
            <p>{will}</p>
          </ConfirmButton>
        </div>
      </div>
    </>
  );
}
