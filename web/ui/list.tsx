import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A list of figures: sticky head, rows of one height, only those near the window in the document. */

export interface Column<Row> {
  key: string;
  head: ComponentChildren;
  cell: (row: Row) => ComponentChildren;
  /** Compared when the head is clicked. With `server` the rows come in order. Without it the column does not sort. */
  sort?: ((row: Row) => number | string) | 'server';
  /** Figures stand right. */
  right?: boolean;
  /** Left out where the window is narrow. */
  low?: boolean;
  /** Names: they take the room that figures leave, and are cut where it is short. */
  names?: boolean;
  /** Whether a row has nothing here. A column that is empty in all rows is not shown. */
  isEmpty?: (row: Row) => boolean;
  /** The meaning of the head. */
  title?: string;
}

interface ListProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** The reader's own row. */
  isMarked?: (row: Row) => boolean;
  /** `column` or `-column`, as it stands in the URL. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
}

const ROW_PX = 36;
/** Lists up to here stand whole in the document. */
const WHOLE = 250;
const MARGIN_ROWS = 12;

export function List<Row>({ label, columns: all, rows, keyOf, isMarked, sort, onSort }: ListProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useScrolls(box);
  const columns = all.filter(({ isEmpty }) => isEmpty === undefined || !rows.every(isEmpty));
  const ordered = sorted(rows, columns, sort);
  const [from, to] = useWindow(body, ordered.length);
  return (
    <div
      class={scrolls ? 'list scrolls' : 'list'}
      ref={box}
      {...(scrolls ? { tabIndex: 0, role: 'region', 'aria-label': `${label}, scrolls sideways` } : {})}
    >
      <table aria-label={label} aria-rowcount={ordered.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {from > 0 && <Spacer rows={from} columns={columns.length} />}
          {/* Of a long list a row that leaves at one end gives its place in the document to the one that comes at the other. */}
          {ordered.slice(from, to).map((row, index) => (
            <tr
              key={to - from < ordered.length ? (from + index) % (to - from) : keyOf(row)}
              class={isMarked?.(row) ? 'marked' : undefined}
              aria-rowindex={from + index + 2}
            >
              {columns.map((column) => (
                <td key={column.key} class={classOf(column, sort)}>
                  {column.names ? <span class="row">{column.cell(row)}</span> : column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {to < ordered.length && <Spacer rows={ordered.length - to} columns={columns.length} />}
        </tbody>
      </table>
    </div>
  );
}

function classOf<Row>({ key, right, low, names }: Column<Row>, sort = ''): string | undefined {
  const isBy = sort.replace(/^-/, '') === key;
  return [right && 'right', low && 'low', names && 'names', isBy && 'by'].filter(Boolean).join(' ') || undefined;
}

const Spacer = ({ rows, columns }: { rows: number; columns: number }) => (
  <tr aria-hidden="true">
    <td colSpan={columns} style={{ height: `${rows * ROW_PX}px`, padding: 0 }} />
  </tr>
);

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}) {
  const { key, head, sort: comparable, title } = column;
  const down = sort === `-${key}`;
  const up = sort === key;
  return (
    <th
      scope="col"
      class={classOf(column, sort)}
      title={title}
      aria-sort={down ? 'descending' : up ? 'ascending' : undefined}
    >
      {comparable && onSort ? (
        <button type="button" class="sort" onClick={() => onSort(down ? key : `-${key}`)}>
          {head}
          <span aria-hidden="true">{down ? ' ↓' : up ? ' ↑' : ''}</span>
        </button>
      ) : (
        head
      )}
    </th>
  );
}

function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort = ''): readonly Row[] {
  const by = columns.find(({ key }) => key === sort.replace(/^-/, ''))?.sort;
  if (by === undefined || by === 'server') return rows;
  const way = sort.startsWith('-') ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [left, right] = [by(a), by(b)];
    return left < right ? -way : left > right ? way : 0;
  });
}

/** Whether it is wider than its place: whoever has no mouse scrolls it by the keyboard then. */
function useScrolls(box: { current: HTMLElement | null }): boolean {
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = box.current!;
    const look = () => setScrolls(element.scrollWidth > element.clientWidth);
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    sizes.observe(element.firstElementChild!);
    return () => sizes.disconnect();
  }, []);
  return scrolls;
}

/** Which rows stand near the window. */
function useWindow(body: { current: HTMLElement | null }, length: number): [number, number] {
  const [range, setRange] = useState<[number, number]>([0, WHOLE]);
  useEffect(() => {
    if (length <= WHOLE) return;
    const look = () => {
      const top = -(body.current?.getBoundingClientRect().top ?? 0);
      const first = Math.max(0, Math.floor(top / ROW_PX) - MARGIN_ROWS);
      const last = first + Math.ceil(innerHeight / ROW_PX) + 2 * MARGIN_ROWS;
      setRange((now) => (now[0] === first && now[1] === last ? now : [first, last]));
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [length]);
  return length <= WHOLE ? [0, length] : [Math.min(range[0], length), Math.min(range[1], length)];
}
