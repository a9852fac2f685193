// Stand-in of the script of this name: it guesses the first covered tile, after all that its page has is found.
async function solver(board, options) {
  if (board == null) {
    solver.countSolutions = () => 0;
    return null;
  }
  await sleep(1);
  showMessage(`${analysisMode} ${BOMB} ${performance.now()} ${binomialCache.max} ${solver.countSolutions()}`);
  const tile = board.tiles.find((one) => one.isCovered());
  const action = { x: tile.x, y: tile.y, prob: 1 - board.mines / board.tiles.length, action: ACTION_CLEAR };
  return { actions: options.playStyle === 2 ? [action] : [] };
}
