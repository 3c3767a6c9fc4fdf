#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
import HTTPTypes
package import TarmacCore

/// Decides what becomes of the tasks of a background session, which live longer than the process (pure).
package struct BackgroundPolicy: Sendable {
    /// How often in a row a task may go on with its resume data.
    var maximumInterruptions = 5

    package init() {}

    /// As `URLSessionTask.State` numbers them.
    package enum TaskState: Int, Sendable, CaseIterable {
        case running, suspended, canceling, completed

        /// A state that is not known yet counts as the last: nothing is expected of such a task.
        package init(number: Int) { self = TaskState(rawValue: number) ?? .completed }
    }

    /// A task as the session shows it.
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

    /// What a launch does with the tasks it finds: those of downloads the ledger has forgotten bring what nobody wants, and of two
    /// for the same bytes one is enough. Tasks that end, and those of others, are left alone.
    package func fates(of tasks: [SeenTask], known keys: Set<String>) -> [Fate] {
        var seen: Set<BackgroundLabel> = []
        return tasks.map { task in
            guard let label = task.label, task.isAlive else { return .leave }
            guard keys.contains(label.key), seen.insert(label).inserted else { return .cancel }
            return task.state == .suspended ? .resume : .leave
        }
    }

    package enum Start: Equatable, Sendable {
        /// All of it has come already.
        case take
        /// The task with this number brings it.
        case adopt(Int)
        case goOn(with: Data)
        case begin
    }

    /// How a call gets what it asks for: from what has come, from a task under way, from one that was interrupted, or anew.
    package func start(_ label: BackgroundLabel, tasks: [SeenTask], hasCome: Bool, resumeData: Data?) -> Start {
        if hasCome { return .take }
        if let running = tasks.firstIndex(where: { $0.label == label && $0.isAlive }) { return .adopt(running) }
        if let resumeData, !resumeData.isEmpty { return .goOn(with: resumeData) }
        return .begin
    }

    package enum Ending: Equatable, Sendable {
        case goOn(with: Data)
        /// The failure is the call's. Resume data, where there is some, is for the next one.
        case fail(keeping: Data?)
    }

    /// Decides about a failed task. Without resume data the chain decides whether to start again.
    ///
    /// - Parameter interruptions: the number of times the task resumed before, in this process.
    package func end(_ failure: TarmacError, resumeData: Data?, interruptions: Int) -> Ending {
        guard let resumeData, !resumeData.isEmpty else { return .fail(keeping: nil) }
        return failure.isTransient && !failure.isOutOfTime && interruptions < maximumInterruptions ? .goOn(with: resumeData) : .fail(keeping: resumeData)
    }

    /// The label of a call.
    ///
    /// - Throws: why the call cannot go through a background session.
    package static func label(of request: Request, _ delivery: Exchange.Delivery) throws(TarmacError) -> BackgroundLabel {
        if let refusal = refusal(request, delivery) { throw refusal }
        guard let label = BackgroundLabel(request) else { throw TarmacError(.unsupported, "a background session carries downloads alone") }
        return label
    }

    /// Why a session cannot have these settings; `nil` when it can.
    package static func refusal(_ settings: ConnectionSettings) -> TarmacError? {
        guard settings != ConnectionSettings() else { return nil }
        return TarmacError(.unsupported, "a background session has the system's connection settings and no others")
    }

    /// Why a call cannot go through a background session; `nil` when it can.
    package static func refusal(_ request: Request, _ delivery: Exchange.Delivery) -> TarmacError? {
        guard case .streamed = delivery, request.method == .get, request.body.isNone else {
            return TarmacError(
                .unsupported, "a background session carries downloads alone", suggestion: "make other calls with a client over .urlSession")
        }
        guard request.transferKey != nil else {
            return TarmacError(
                .unsupported, "a download in the background needs a ledger, to be found again by the next launch", suggestion: "set transferLedger")
        }
        return nil
    }
}
