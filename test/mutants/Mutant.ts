/** A change of the code that a law must catch. */
export interface Mutant {
  /** Number of the law. */
  readonly law: number
  readonly file: string
  /** Source text that occurs once in the file. */
  readonly find: string
  readonly replace: string
  readonly why: string
}
