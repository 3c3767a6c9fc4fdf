#if Tools
import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacStreams

/// The client's record: in a file the calls that landed, in memory only numbers.
final class StormNotes: EventObserver {
    private struct State {
        var report = StormReport()
        var open: Set<UInt64> = []
        /// The work of each lane, and its start.
        var flying: [String: (since: ContinuousClock.Instant, what: String)] = [:]
    }

    private let state = Locked(State())
    private let file: FileHandle

    init(path: String) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
        self.file = file
    }

    var report: StormReport {
        state.withLock { state in
            state.report.open = state.open.count
            return state.report
        }
    }

    // MARK: Each call lands once

    func receive(_ event: CallEvent) {
        switch event.kind {
        case .started: state.withLock { _ = $0.open.insert(event.call) }
        case .landed, .failed, .cancelled:
            let isFirst = state.withLock { state in
                state.report.landings += 1
                return state.open.remove(event.call) != nil
            }
            if !isFirst { violated("call \(event.call) to \(event.endpoint) ended twice, or never began") }
        case .attemptStarted: state.withLock { $0.report.attempts += 1 }
        case .resentOnFreshConnection: state.withLock { $0.report.resends += 1 }
        case .stage(StreamEvent.reconnecting): state.withLock { $0.report.reconnects += 1 }
        case .stage(CacheEvent.validated): state.withLock { $0.report.validated += 1 }
        case .stage(AuthEvent.refreshStarted): state.withLock { $0.report.refreshes += 1 }
        case .stage(AuthEvent.loggedOut): state.withLock { $0.report.logOuts += 1 }
        default: break
        }
    }

    // MARK: What flies

    func began(_ lane: String, _ what: String) { state.withLock { $0.flying[lane] = (.now, what) } }
    func ended(_ lane: String) { state.withLock { $0.flying[lane] = nil } }

    /// The work that has not ended, with its seconds so far.
    var flying: [String] { state.withLock { $0.flying.map { "\($0.key): \($0.value.what) since \(ContinuousClock.now - $0.value.since)" }.sorted() } }

    // MARK: Outcomes

    func landed(_ kind: StormKind) { state.withLock { $0.report.outcomes[kind.rawValue, default: [:]]["landed", default: 0] += 1 } }

    /// Notes an error. One that no fault of a wire or a server explains is a violation.
    func failed(_ kind: StormKind, _ error: any Error) {
        let name: String
        switch error {
        case is CancellationError: name = "cancelled"
        case let error as TarmacError:
            name = error.status.map { "\(error.code) \($0.code)" } ?? "\(error.code)"
            if !kind.explains(error) { violated("\(kind.rawValue): \(error)") }
        default:
            name = "other"
            violated("\(kind.rawValue): \(error)")
        }
        state.withLock { $0.report.outcomes[kind.rawValue, default: [:]][name, default: 0] += 1 }
    }

    func sawEvent() { state.withLock { $0.report.events += 1 } }

    func shutDown(after duration: Duration) { state.withLock { $0.report.shutdownSeconds = duration / .seconds(1) } }

    func violated(_ text: String) {
        state.withLock { state in
            state.report.violationCount += 1
            if state.report.violations.count < 50 { state.report.violations.append(String(text.prefix(600))) }
        }
    }

    /// Writes down what the server's ledger must confirm.
    func claim(_ kind: String, _ number: Int, _ detail: String = "-") {
        let line = Data("\(kind) \(number) \(detail)\n".utf8)
        // Under the lock, so that lines do not mix.
        state.withLock { _ in file.write(line) }
    }
}

/// The text at the end.
struct StormReport: Codable {
    var outcomes: [String: [String: Int]] = [:]
    var landings = 0
    var attempts = 0
    var resends = 0
    var reconnects = 0
    var validated = 0
    var refreshes = 0
    var logOuts = 0
    /// Calls that began and did not end.
    var open = 0
    var events = 0
    var shutdownSeconds = 0.0
    var violationCount = 0
    var violations: [String] = []
    var descriptorsBefore = 0
    var descriptorsLeft: [String] = []
}
#endif
