/** Columns of the head and all rows. On a narrow screen, rows become cards and the head is hidden. */
export const COLUMNS =
  "grid grid-cols-[auto_auto_minmax(0,1fr)] content-center items-center gap-x-3 gap-y-1 " +
  "lg:grid-cols-[auto_auto_minmax(0,1fr)_10rem_7.5rem_4.5rem] " +
  "xl:grid-cols-[auto_auto_minmax(0,1fr)_8rem_11rem_8rem_4.5rem_5rem]";
