/**
 * Words that say nothing of what a text is about: they are not searched for.
 *
 * A closed class in each language: articles, pronouns, prepositions, conjunctions, particles, auxiliary verbs, and the
 * words that ask. A word that also names a thing is left out of the list. Folded, as `termsOf` folds.
 *
 * @since 0.1.0
 */

const LISTS: ReadonlyArray<string> = [
  // English, with what apostrophes leave behind.
  "a an the and or but nor if so of to in on at for with by from into onto over under after before between about out up down off",
  "is are was were be been being am do does did done doing have has had having will would shall should can could may might must",
  "i me my mine we us our ours you your yours he him his she her hers it its they them their theirs this that these those",
  "what which who whom whose when where why how not no than then too very just as also there here all any both each few more most",
  "other some such only own same again further once s t d ll m re ve don doesn didn isn aren wasn weren won wouldn shouldn couldn hasn haven hadn",
  // Ukrainian
  "і й та або але чи якщо бо що щоб як коли де куди звідки чому хто кого кому ким який яка яке які чий у в на з із зі до від за під над про для при без між через",
  "я мене мені ти тебе тобі він його йому вона її їй воно ми нас нам ви вас вам вони їх їм це цей ця ці той та те ті свій мій моя моє мої твій твоя наш ваш",
  "не ні так є був була було були буде будуть бути ще вже лише тільки дуже теж також тут там тоді потім",
  // Russian
  "и а но или если то что чтобы как когда где куда откуда почему кто кого кому кем какой какая какое какие чей в во на с со из к ко от до за под над о об про для при без между через",
  "я меня мне ты тебя тебе он его ему она ее ей оно мы нас нам вы вас вам они их им это этот эта эти тот те свой мой моя мое мои твой твоя наш ваш",
  "не ни да есть был была было были будет будут быть еще уже лишь только очень тоже также тут там тогда потом же бы ли",
  // German
  "der die das den dem des ein eine einen einem einer eines und oder aber wenn ob dass weil als wie wann wo wohin woher warum wer wen wem was welche welcher welches",
  "ich mich mir du dich dir er ihn ihm sie es wir uns ihr euch ihnen mein meine dein deine sein seine unser euer ist sind war waren bin bist wird werden wurde haben hat hatte habe kann konnte soll muss",
  "in im an am auf aus bei mit nach von vom zu zum zur für über unter vor zwischen durch um nicht kein keine ja nein noch schon nur auch sehr hier da dann",
  // French
  "le la les un une des du de et ou mais si que qui quoi dont quand comment pourquoi quel quelle quels quelles je tu il elle on nous vous ils elles me te se lui leur moi toi",
  "mon ma mes ton ta tes son sa ses notre nos votre vos ce cet cette ces est sont etait etaient etre suis es ai as avons avez ont avait ne pas plus en au aux dans sur sous avec sans pour par entre y l d j c n qu",
  // Spanish and Portuguese
  "el los las uno una unos unas del al y o pero si que quien cuando donde como por porque cual cuales yo tu usted ella ellos ellas nosotros mi mis tus su sus nuestro este esta estos estas ese esa eso",
  "es son era eran ser soy eres fue ha han he con sin para sobre entre no muy ya tambien lo le les se nos",
  "os um uma uns umas do da dos das no na nos nas ao aos e ou mas se quem onde quando qual quais eu voce ele ela eles elas meu minha seu sua nosso isto isso este esta sao foi nao muito ja tambem com sem para por pelo pela",
  // Italian
  "il lo gli i un uno del dello della dei degli delle e ed o ma se che chi cui quando dove come perche quale quali io tu lui lei noi voi loro mio mia tuo tua suo sua nostro vostro questo questa quello quella",
  "sono sei siamo siete era erano essere ho hai ha abbiamo avete hanno non in nel nella con senza per su sul sulla tra fra da dal dalla al alla",
]

/**
 * The words that are not searched for.
 *
 * @category constants
 * @since 0.1.0
 */
export const stopWords: ReadonlySet<string> = new Set(LISTS.flatMap((list) => list.split(" ")))
