export interface Changed {
  text: string;
  changed: boolean;
}

const MAX_WORDS = 400;

/** Compares two values word by word and marks the words that differ. */
export function changedParts(here: string, there: string): [Changed[], Changed[]] {
  const left = wordsOf(here);
  const right = wordsOf(there);
  // The table below grows quadratically, so very long texts are marked as different as a whole.
  if (left.length > MAX_WORDS || right.length > MAX_WORDS) return [[{ text: here, changed: true }], [{ text: there, changed: true }]];
  const common = longestCommon(left, right);
  return [merged(left, new Set(common.map(([at]) => at))), merged(right, new Set(common.map(([, at]) => at)))];
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[^\s]+/gu) ?? [];
}

/** Index pairs of the longest common subsequence of words. */
function longestCommon(left: readonly string[], right: readonly string[]): [number, number][] {
  const across = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * across);
  const at = (i: number, j: number) => lengths[i * across + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      lengths[i * across + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

function merged(words: readonly string[], kept: ReadonlySet<number>): Changed[] {
  const parts: Changed[] = [];
  words.forEach((text, index) => {
    const changed = !kept.has(index);
    const last = parts.at(-1);
    if (last?.changed === changed) last.text += text;
    else parts.push({ text, changed });
  });
  return parts;
}
