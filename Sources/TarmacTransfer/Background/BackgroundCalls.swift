#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
package import TarmacCore

/// The calls that wait for tasks of a background session, and what each event means for them (pure).
///
/// `Wait` is what a waiting call is resumed with.
package struct BackgroundCalls<Wait> {
    /// One call, told apart from another call for the same bytes.
    package struct Ticket: Equatable, Sendable {
        package let label: BackgroundLabel
        fileprivate let number: Int
    }

    private struct Waiting {
        var number: Int
        var wait: Wait
        /// The task that brings the bytes; `nil` until one is chosen.
        var task: Int?
    }

    private let policy: BackgroundPolicy
    private var waiting: [BackgroundLabel: Waiting] = [:]
    private var interruptions: [BackgroundLabel: Int] = [:]
    private var lastNumber = 0
    private var isClosed = false

    package init(policy: BackgroundPolicy = BackgroundPolicy()) { self.policy = policy }

    // MARK: A call

    /// A ticket for a call that is about to wait.
    package mutating func makeTicket(_ label: BackgroundLabel) -> Ticket {
        lastNumber += 1
        return Ticket(label: label, number: lastNumber)
    }

    /// Lets a call wait; returns the error of a call that must not.
    ///
    /// - Parameter abortion: the error of a call that was ended before it came here.
    package mutating func admit(_ ticket: Ticket, _ wait: Wait, abortion: (any Error)?) -> (any Error)? {
        if let abortion { return abortion }
        if isClosed { return TarmacError(.clientShutDown) }
        if waiting[ticket.label] != nil { return TarmacError(.transferInProgress, "another call waits for the same bytes") }
        waiting[ticket.label] = Waiting(number: ticket.number, wait: wait)
        return nil
    }

    /// `false` for a call that has ended meanwhile, and for one that another call is in the way of.
    package func isWaiting(_ ticket: Ticket) -> Bool { waiting[ticket.label]?.number == ticket.number }

    /// How a waiting call gets its bytes.
    package func start(_ ticket: Ticket, tasks: [BackgroundPolicy.SeenTask], hasCome: Bool, resumeData: Data?) -> BackgroundPolicy.Start {
        policy.start(ticket.label, tasks: tasks, hasCome: hasCome, resumeData: resumeData)
    }

    /// Notes the task that brings the bytes of a waiting call.
    package mutating func assign(_ task: Int, to ticket: Ticket) {
        if isWaiting(ticket) { waiting[ticket.label]?.task = task }
    }

    /// The bytes of a call are there already.
    package mutating func take(_ ticket: Ticket) -> Wait? { isWaiting(ticket) ? land(ticket.label) : nil }

    /// A call was ended: returns who waits. `nil` when another call or none waits for the bytes, whose task then goes on.
    package mutating func abort(_ ticket: Ticket) -> Wait? { isWaiting(ticket) ? land(ticket.label) : nil }

    private mutating func land(_ label: BackgroundLabel) -> Wait? {
        interruptions[label] = nil
        return waiting.removeValue(forKey: label)?.wait
    }

    // MARK: A task

    package enum Ending {
        /// A new task goes on with this data; it takes the place of the one that ended.
        case goOn(with: Data)
        /// The call lands; the data is kept for the next one.
        case land(Wait?, Result<Void, any Error>, keeping: Data?)
    }

    /// A task has ended. Only the call that waits for this very task lands: one that began after an abort waits for another.
    ///
    /// - Parameters:
    ///   - failure: `nil` for a task that brought everything.
    ///   - isCancelled: whether somebody ended the task: the app, or the user who closed the app. It does not go on by itself then.
    package mutating func end(
        _ task: Int, _ label: BackgroundLabel, failure: TarmacError?, isCancelled: Bool = false, resumeData: Data? = nil
    ) -> Ending {
        guard let failure else { return .land(landing(task, label), .success(()), keeping: nil) }
        let count = isCancelled || isClosed ? Int.max : interruptions[label] ?? 0
        switch policy.end(failure, resumeData: resumeData, interruptions: count) {
        case .goOn(let data):
            interruptions[label] = count + 1
            return .goOn(with: data)
        case .fail(let data):
            return .land(landing(task, label), .failure(failure), keeping: data)
        }
    }

    /// A task took the place of another.
    package mutating func replace(_ task: Int, by successor: Int, _ label: BackgroundLabel) {
        if waiting[label]?.task == task { waiting[label]?.task = successor }
    }

    private mutating func landing(_ task: Int, _ label: BackgroundLabel) -> Wait? { waiting[label]?.task == task ? land(label) : nil }

    // MARK: The end

    /// Lets no call wait from now on; returns those that do.
    package mutating func close() -> [Wait] {
        isClosed = true
        defer { waiting = [:] }
        return waiting.values.map(\.wait)
    }
}
