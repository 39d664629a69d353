// The open tables in an order that stands still while somebody reads: rows keep their places, new ones wait to be put on top.
import type { LobbyAnswer, OpenTable } from '../../wire/messages'

export interface Row {
  table: OpenTable
  /** It is full, over or closed by now; its place is kept until nobody looks closely. */
  gone: boolean
}

export interface List {
  rows: Row[]
  /** New tables that are not shown yet, the newest first. */
  fresh: OpenTable[]
}

export const EMPTY: List = { rows: [], fresh: [] }
export const LISTED_MAX = 200

/** Tell what *message* makes of *list*. */
export function hear(list: List, message: LobbyAnswer): List {
  switch (message.t) {
    case 'tables':
      return renew(list, message.tables)
    case 'table':
      return put(list, message.table)
    case 'gone':
      return {
        rows: list.rows.map((row) => (row.table.id === message.id ? { ...row, gone: true } : row)),
        fresh: list.fresh.filter((table) => table.id !== message.id),
      }
    default:
      return list
  }
}

/** Take in the whole list anew, after a lost connection: who is known stays in place. */
function renew(list: List, tables: OpenTable[]): List {
  const now = new Map(tables.map((table) => [table.id, table]))
  const known = new Set(list.rows.map((row) => row.table.id))
  const rows = list.rows.map((row) => ({ table: now.get(row.table.id) ?? row.table, gone: !now.has(row.table.id) }))
  const fresh = tables.filter((table) => !known.has(table.id))
  return rows.length ? { rows, fresh } : release({ rows, fresh })
}

function put(list: List, table: OpenTable): List {
  if (list.rows.some((row) => row.table.id === table.id)) {
    return { ...list, rows: list.rows.map((row) => (row.table.id === table.id ? { table, gone: false } : row)) }
  }
  const waits = list.fresh.some((other) => other.id === table.id)
  return { ...list, fresh: waits ? list.fresh.map((other) => (other.id === table.id ? table : other)) : [table, ...list.fresh] }
}

/** Put what is new on top and let go of what is gone. */
export function release(list: List): List {
  const fresh = list.fresh.map((table) => ({ table, gone: false }))
  return { rows: [...fresh, ...list.rows.filter((row) => !row.gone)].slice(0, LISTED_MAX), fresh: [] }
}

/** Whether releasing would change anything. */
export function stale(list: List): boolean {
  return list.fresh.length > 0 || list.rows.some((row) => row.gone)
}

/** Whether a game is being played at *table*. */
export function runs(table: OpenTable): boolean {
  return table.stage === 'seeds' || table.stage === 'playing'
}
