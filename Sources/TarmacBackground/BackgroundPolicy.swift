#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
import HTTPTypes
package import TarmacCore
import TarmacSupport
import TarmacTransfer

/// Decides about the tasks of a background session, which outlive the process (pure).
package struct BackgroundPolicy: Sendable {
    /// The number of times in a row that a task may resume with its resume data.
    var maximumInterruptions = 5

    package init() {}

    /// The states of a task, with the numbers of `URLSessionTask.State`.
    package enum TaskState: Int, Sendable, CaseIterable {
        case running, suspended, canceling, completed

        /// An unknown state counts as completed: nothing is expected of such a task.
        package init(number: Int) { self = TaskState(rawValue: number) ?? .completed }
    }

    /// A task as the session reports it.
    package struct SeenTask: Sendable {
        let label: BackgroundLabel?
        let state: TaskState

        package init(description: String?, state: TaskState) {
            label = BackgroundLabel(description: description)
            self.state = state
        }

        fileprivate var isAlive: Bool { state == .running || state == .suspended }
    }

    package enum Fate: Equatable, Sendable {
        case leave, resume, cancel
    }

    /// Returns what a launch does with each task it finds.
    ///
    /// Tasks of downloads that the ledger has forgotten, and second tasks for the same bytes, are cancelled. Completed
    /// and foreign tasks are left alone. Uploads are in no ledger, and all wanted.
    package func fates(of tasks: [SeenTask], known keys: Set<String>) -> [Fate] {
        var seen: Set<BackgroundLabel> = []
        return tasks.map { task in
            guard let label = task.label, task.isAlive else { return .leave }
            guard label.isUpload || keys.contains(label.key), seen.insert(label).inserted else { return .cancel }
            return task.state == .suspended ? .resume : .leave
        }
    }

    package enum Start: Equatable, Sendable {
        /// All bytes have already arrived.
        case take
        /// The task with this index downloads them.
        case adopt(Int)
        case goOn(with: Data)
        case begin
        /// The body of the upload is to be put into a file first.
        case prepare
        /// The upload was sent before, and its outcome is not known.
        case lost
    }

    /// Returns how a call gets its bytes: from a stored body, a running task, an interrupted one, or a new one.
    package func start(_ label: BackgroundLabel, tasks: [SeenTask], hasCome: Bool, resumeData: Data?) -> Start {
        if hasCome { return .take }
        if let running = tasks.firstIndex(where: { $0.label == label && $0.isAlive }) { return .adopt(running) }
        if let resumeData, !resumeData.isEmpty { return .goOn(with: resumeData) }
        return .begin
    }

    package enum Ending: Equatable, Sendable {
        case goOn(with: Data)
        /// The call fails. Resume data, if any, is kept for the next call.
        case fail(keeping: Data?)
    }

    /// Decides about a failed task. Without resume data the chain decides whether to start again.
    ///
    /// - Parameter interruptions: the number of times the task resumed before, in this process.
    package func end(_ failure: TarmacError, resumeData: Data?, interruptions: Int) -> Ending {
        guard let resumeData, !resumeData.isEmpty else { return .fail(keeping: nil) }
        return failure.isTransient && !failure.isOutOfTime && interruptions < maximumInterruptions ? .goOn(with: resumeData) : .fail(keeping: resumeData)
    }

    /// Returns the label of a call.
    ///
    /// - Throws: The reason why the call cannot use a background session.
    package static func label(of request: Request, _ delivery: Exchange.Delivery) throws(TarmacError) -> BackgroundLabel {
        if let refusal = refusal(request, delivery) { throw refusal }
        guard let label = BackgroundLabel(request) else { throw other }
        return label
    }

    /// Returns the reason why a background session cannot have these settings; `nil` if it can.
    ///
    /// - Parameter open: The settings of the session, if it is open.
    package static func refusal(_ settings: ConnectionSettings, open: ConnectionSettings? = nil) -> TarmacError? {
        var rest = settings
        (rest.trust, rest.pins, rest.clientIdentity) = (.system, .none, nil)
        guard rest == ConnectionSettings() else {
            return TarmacError(
                .unsupported, "a background session has trust, pins and clientIdentity, and no other connection settings",
                suggestion: "change its URLSessionConfiguration in the closure configure")
        }
        guard let open, open != settings else { return nil }
        return TarmacError(.unsupported, "the services of a background session share their connection settings", suggestion: "use one session for each")
    }

    /// Returns the URL that the response to a request came from. The system follows redirects by itself, with the fields of the request.
    ///
    /// - Parameter end: That URL, if redirects led away from the request's.
    /// - Throws: `.redirectRefused` for another origin than those of the service, and for http after https.
    package static func end(of request: Request, at end: String?) throws(TarmacError) -> HTTPURL {
        guard let end, end != request.url.string else { return request.url }
        guard let url = try? HTTPURL(end), request.mayEnd(at: url.origin), url.isSecure || !request.url.isSecure else {
            throw TarmacError(
                .redirectRefused, phase: .redirecting, "the system has followed a redirect of \(request) to an origin outside the service",
                suggestion: "ask the last address itself, list its host in the service, or use a client over .urlSession")
        }
        return request.url.hidesPath ? url.showing(path: HTTPURL.hiddenPath) : url
    }

    /// Returns the reason why a call cannot use a background session; `nil` if it can.
    package static func refusal(_ request: Request, _ delivery: Exchange.Delivery) -> TarmacError? {
        let isDownload = request.method == .get && request.body.isNone
        switch delivery {
        case .streamed where isDownload:
            return request.transferKey == nil ? nameless("a download", "a ledger", "set transferLedger") : nil
        case .collected where !isDownload:
            return request.transferKey == nil ? nameless("an upload", "a key of the app's", "set idempotencyKey to a value, or transferKey") : nil
        default: return other
        }
    }

    private static func nameless(_ transfer: String, _ name: String, _ suggestion: String) -> TarmacError {
        TarmacError(.unsupported, "\(transfer) in the background needs \(name), to be found again by the next launch", suggestion: suggestion)
    }

    private static var other: TarmacError {
        TarmacError(
            .unsupported, "a background session carries downloads and uploads alone", suggestion: "make other calls with a client over .urlSession")
    }
}
