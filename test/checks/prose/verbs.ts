/**
 * Verbs of test titles, in the infinitive. A title has one of them after its subject; a verb that
 * is missing here is added.
 */
const verbs = `
abort absorb accept acknowledge acquire act adapt add adjust admit adopt advance affect agree align allocate allow alter
announce answer append apply arrange arrive ask assign assume attach authenticate authorize avoid
back become begin behave belong bind block boot break bring browse build bump bypass
cache calculate call cancel carry catch cause change charge check choose claim clean clear click clone close coalesce
collect collide combine come commit compare compile complete compress compute configure conflict connect consume contain
continue contribute control convert cope copy cost count cover crash create cross cut
date deadlock debounce declare decline decode default defer define degrade delay delete deliver demand deny depend derive
describe detach detect determine die differ disable disappear discard disconnect display distinguish divide do drain draw
drop duplicate
edit eject elect emit empty enable encode encrypt end enforce enqueue enter escape establish evaluate evict exceed exclude
execute exempt exist exit expand expect expire explain export expose extend
fail fall fetch fill filter find finish fire fit fix flag flow flush focus follow forbid force forget fork form format
forward free freeze
gain generate get give go grant grow guarantee
halt handle hang have heal hear hide hit hold honor honour
identify ignore imply import include increase indicate inherit initialize insert inspect install invalidate invite
involve isolate issue
join judge jump
keep kill know
label lack land lapse last lead leak learn leave let lie limit link list listen live load locate lock log look lose lower
make map mark mask match mean measure meet mention merge migrate mirror miss mount move mutate
name navigate need nest normalize note notice notify number
obey observe obtain occupy occur offer omit open operate order outlive outrank overflow overlap override overtake own
page paginate parse part pass patch pause pay perform permit persist pick pin place play point poll pop populate post
precede predict prefer prepare present preserve press prevent print probe proceed process produce progress promise
propagate protect prove provide publish pull purge push put
qualify query queue quote
raise reach react read readmit rebuild receive reclaim recognise recognize recompute reconcile reconnect record recover
redact redeliver redirect reduce refer reflect refresh refund refuse register reject relate release relist reload remain
remember remove rename render renew reopen repair repeat replace replay reply report represent request require reserve
reset resign resist resize resolve respect respond rest restart restore restrict result resume retain retire retry return
reuse revert revoke rewrite ring rise roll rotate round run
satisfy save say scale scan schedule scope scroll search see select send separate serialize serve set settle share shed
ship shorten show shrink shut sign signal sit skip sort span speak specify spend split stale stand start state stay step
stick stop store stream strip submit subscribe succeed suffice suggest supersede supply support suppress survive suspend
switch synchronize
take target tell terminate test throttle throw tick tie time tolerate touch trace track translate travel treat trigger
trim truncate trust try turn type
understand undo unlock unmount unpack unpause update upgrade upload use
validate vanish vary verify view violate visit
wait wake walk want warn wash watch wear wipe withdraw work wrap write yield
`
const irregular = `
is are was were has have does do can cannot may must will would should could might goes holds
`

/** Words with an s that are nouns of the product in the plural, and so may be a subject. */
export const pluralNouns: ReadonlySet<string> = new Set(
  `answers attempts calls changes checks claims clones copies events exports imports labels limits links
lists logs names orders pages patches permits plans points probes queries queues reads records
releases renames reports requests resources restarts restores retries runs schedules sets shares
snapshots sorts starts steps stops streams tests turns updates uploads views waits watches works
writes`.split(/\s+/),
)

/** Every form in the present tense: the infinitive for plural subjects, and the one with an s. */
export const titleVerbs: ReadonlySet<string> = new Set([
  ...irregular.trim().split(/\s+/),
  ...verbs
    .trim()
    .split(/\s+/)
    .flatMap((verb) => [verb, thirdPerson(verb)]),
])

function thirdPerson(verb: string): string {
  if (/(s|sh|ch|x|z|o)$/.test(verb)) return `${verb}es`
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`
  return `${verb}s`
}
