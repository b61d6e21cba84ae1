/**
 * Names of tables for people. A name follows from the table's id alone, so that pages, titles and pictures agree
 * without asking. Two open tables may share a name: the id alone tells them apart.
 */
const FIRST =
  'amber ashen azure bold brass brave brief bright brisk broad bronze calm candid cedar chalk civil clear clever cobalt cold cool copper coral cosy crimson crisp daring dark dawn deep deft dim dry dusty eager early east easy ebony fabled fair far fast fern fine firm first flint fond frank free fresh frosty full gentle gilded glad golden good grand grave green grey hale happy hardy hazel hidden high hollow honest humble icy indigo inland iron ivory jade jolly keen kind large last late leafy level light lilac limber lime little lively lone long lost loud low lucid lucky lunar major maple mellow merry mild minor misty modest mossy narrow neat new nimble noble north oaken ochre old olive open opal other outer pale patient pearl plain polar prime proud pure quick quiet rapid rare ready red regal rich ripe roaming robust rocky rosy round royal ruby rustic sable safe saffron sandy scarlet serene sharp shy silent silver sleek slow small smart smooth snowy snug sober soft solar solid south spare spry stable staid stark steady steep stern still stout strong subtle sunny sure swift tall tame tawny teal tidy tiny tough true trusty umber upper urban vast velvet violet vivid warm wary west whole wide wild willow windy winter wise witty wooden young'.split(
    ' ',
  );
const SECOND =
  'acorn anchor anvil apple arch arrow aspen badger banner barn basin beacon bear beech bell bench birch bison bluff boat bough bridge brook cabin candle canoe canyon cape castle cave cliff cloud clover comet compass coral cove crane creek crow crown current dale deer delta den desert dome dove dune eagle echo elk elm falcon fawn fen ferry field finch fjord flame flute ford forest forge fort fox gale garden gate geyser glade glen goose gorge grove gull harbor hare harp hawk hearth heath hedge heron hill hollow horn hound inlet island ivy jay kestrel kite lagoon lake lantern lark laurel ledge lily lion lodge lynx magpie maple marsh meadow mesa mill mist moon moor moose moth mountain oak oasis ocean orchard osprey otter owl ox palm panther pass path peak pebble pelican pier pine plain plateau plover pond poplar port prairie quail quarry quay rabbit rain ram raven reed reef ridge river robin rock rook root rose sail salmon sea seal shell shore shrike sky slope snipe sparrow spring spruce stag star stone stork storm stream summit swallow swan swift temple thistle thorn thrush tide tiger tower trail tree trout valley vine wagon walrus water wave well whale wharf willow wind wolf wood wren yard yew'.split(
    ' ',
  );

/** Such as `Amber Falcon`. */
export function tableName(tableId: string): string {
  const mark = hashOf(tableId);
  return `${capital(FIRST[mark % FIRST.length]!)} ${capital(SECOND[(mark >>> 12) % SECOND.length]!)}`;
}

/** A hand of a table by its number there, such as `Amber Falcon #738`. */
export const handName = (tableId: string, handNumber: number): string =>
  `${tableName(tableId)} #${handNumber.toLocaleString('en')}`;

/** FNV-1a, with its high bits mixed down: ids of one time differ in few letters. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x7feb352d) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);
