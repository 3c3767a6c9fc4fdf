import Dispatch
import TarmacTesting

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacPresentation

/// Whether this runs on the main actor, whichever thread serves it.
private let mainQueueMark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

/// Keeps what hooks were told, in order.
final class HookRecorder: Sendable {
    struct Entry: Sendable, CustomStringConvertible {
        let moment: String
        let outcome: String?
        let isOnMain: Bool
        let call: CallSummary
        var description: String { moment + (outcome.map { " \($0)" } ?? "") }
    }
    let entries = Watched<[Entry]>([])

    var words: [String] { entries.value.map(\.description) }

    /// Background and main-actor hooks for all moments.
    func hooks(_ prefix: String = "") -> [CallHooks] {
        [
            CallHooks(
                "background", willStart: { self.note(prefix + "willStart", $0) }, willStop: { self.note(prefix + "willStop", $0, $1) },
                didStop: { self.note(prefix + "didStop", $0, $1) }),
            .onMainActor(
                "main", willStart: { self.note(prefix + "main willStart", $0) }, willStop: { self.note(prefix + "main willStop", $0, $1) },
                didStop: { self.note(prefix + "main didStop", $0, $1) }),
        ]
    }

    private func note(_ moment: String, _ call: CallSummary, _ outcome: CallOutcome? = nil) {
        let entry = Entry(moment: moment, outcome: outcome.map(Self.text), isOnMain: DispatchQueue.getSpecific(key: mainQueueMark) == true, call: call)
        entries.update { $0.append(entry) }
    }

    static func text(_ outcome: CallOutcome) -> String {
        switch outcome {
        case .landed: "value"
        case .failed(let error): error.code.name
        case .cancelled: "cancelled"
        }
    }

    /// Every moment of one call with an outcome.
    static func whole(_ outcome: String) -> [String] {
        ["willStart", "main willStart", "willStop \(outcome)", "main willStop \(outcome)", "didStop \(outcome)", "main didStop \(outcome)"]
    }
}
