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

type Room = Answer<'GET /api/admin/overview'>;

const EVERY_MS = 5000;

export function Season() {
  const room = useOperator('GET /api/admin/overview', {}, { every: EVERY_MS });
  return (
    <Section title="Season">
      <Shown of={room}>
        {(of) =>
          of.season === null ? (
            <Empty>
              <p>No season is active yet.</p>
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
  const will = `${tables} close, hands in progress are void, ranks are final and prizes are booked. The next season begins at once.`;
  return (
    <>
      <Figures
        of={[
          ['Season', number],
          [season.winding_down ? 'Winds down, ends in' : 'Ends in', <Countdown key="end" to={end_date} />],
          ['Tables', room.play.tables],
        ]}
      />
      <div class="part">
        <Field
          label="Seconds until it ends"
          type="number"
          min="0"
          step="1"
          value={seconds}
          onValue={setSeconds}
          hint="Time for a wind-down. The season can only end earlier than planned."
        />
        <div class="row">
          <ConfirmButton
            label="End it then"
            title={`End season ${number} in ${duration(Number(seconds))}`}
            verb="End the season then"
            typed={number}
            danger
            act={() => end(Number(seconds))}
            done={done}
          >
            <p>
              In {duration(Number(seconds))}: {will}
            </p>
          </ConfirmButton>
          <ConfirmButton
            label="End it now"
            title={`End season ${number} now`}
            verb="End the season"
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
