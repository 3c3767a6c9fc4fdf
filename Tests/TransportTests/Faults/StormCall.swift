#if Tools
import Tarmac
import TarmacTesting

/// A call of a storm by its number: a GET, a POST without a key, or one with a key.
enum StormCall: Int {
    case read, bare, keyed

    init(_ number: Int) { self = StormCall(rawValue: number % 3) ?? .read }

    var method: String { self == .read ? "GET" : "POST" }

    /// What came of a call, as its client tells it.
    struct Outcome: Equatable {
        var isGood = false
        var attempts = 0
        var resends = 0
        var failures = 0
        var landings = 1
    }

    static func fly(_ number: Int, _ client: Client) async -> Outcome {
        let recorder = EventRecorder(), call = StormCall(number)
        var outcome = Outcome()
        do {
            let endpoint: InlineEndpoint<Void> = call == .read ? .get("/\(number)") : .post("/\(number)", ["n": 1])
            let landed = try await client.landed(for: endpoint) {
                if call == .keyed { $0.idempotencyKey = .automatic }
                $0.observers = [recorder]
            }
            outcome.isGood = true
            outcome.attempts = landed.attempts
            outcome.failures = landed.attempts - 1
        } catch {
            outcome.attempts = (error as? TarmacError)?.attempts ?? -1
            outcome.failures = (error as? TarmacError)?.failedAttempts.count ?? -1
        }
        outcome.landings = recorder.names.count { $0 == "landed" || $0 == "failed" }
        outcome.resends = recorder.names.count { $0 == "resentOnFreshConnection" }
        return outcome
    }
}
#endif
