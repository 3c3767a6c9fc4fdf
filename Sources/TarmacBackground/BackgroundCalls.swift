#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
package import TarmacCore
import TarmacTransfer

/// The calls that wait for tasks of a background session, and the meaning of each event for them (pure).
///
/// `Wait` is the value that resumes a waiting call.
package struct BackgroundCalls<Wait> {
    /// Identifies one call, also among calls for the same bytes.
    package struct Ticket: Equatable, Sendable {
        package let label: BackgroundLabel
        fileprivate let number: Int
    }

    private struct Waiting {
        var number: Int
        var wait: Wait
        /// The task that downloads the bytes; `nil` until one is chosen.
        var task: Int?
    }

    private let policy: BackgroundPolicy
    private var waiting: [BackgroundLabel: Waiting] = [:]
    private var interruptions: [BackgroundLabel: Int] = [:]
    /// The uploads whose callers know that the outcome was lost.
    private var reported: Set<BackgroundLabel> = []
    /// The bytes of the response that each upload's task has received; `nil` if they could not be stored.
    private var replies: [Int: Int64?] = [:]
    /// The errors of tasks whose challenges were refused. Such a task ends as if it was cancelled.
    private var refusals: [Int: TarmacError] = [:]
    private var lastNumber = 0
    /// The services that use the session.
    private var users = 0
    private var isClosed = false

    package init(policy: BackgroundPolicy = BackgroundPolicy()) { self.policy = policy }

    // MARK: A call

    /// Returns a ticket for a call that is about to wait.
    package mutating func makeTicket(_ label: BackgroundLabel) -> Ticket {
        lastNumber += 1
        return Ticket(label: label, number: lastNumber)
    }

    /// Adds a waiting call; returns the error of a call that must not wait.
    ///
    /// - Parameter abortion: The error of a call that ended before.
    package mutating func admit(_ ticket: Ticket, _ wait: Wait, abortion: (any Error)?) -> (any Error)? {
        if let abortion { return abortion }
        if isClosed { return TarmacError(.clientShutDown) }
        if waiting[ticket.label] != nil { return TarmacError(.transferInProgress, "another call waits for the same bytes") }
        waiting[ticket.label] = Waiting(number: ticket.number, wait: wait)
        return nil
    }

    /// Whether the call still waits: it has not ended, and no other call waits for the same bytes.
    package func isWaiting(_ ticket: Ticket) -> Bool { waiting[ticket.label]?.number == ticket.number }

    /// Returns how a waiting call gets its bytes.
    package func start(_ ticket: Ticket, tasks: [BackgroundPolicy.SeenTask], hasCome: Bool, resumeData: Data?) -> BackgroundPolicy.Start {
        policy.start(ticket.label, tasks: tasks, hasCome: hasCome, resumeData: resumeData)
    }

    /// Notes the task that downloads the bytes of a waiting call.
    package mutating func assign(_ task: Int, to ticket: Ticket) {
        if isWaiting(ticket) { waiting[ticket.label]?.task = task }
    }

    /// Ends the wait of a call whose bytes have already arrived.
    package mutating func take(_ ticket: Ticket) -> Wait? { isWaiting(ticket) ? land(ticket.label) : nil }

    /// Ends the wait of a cancelled call. Returns `nil` if no call or another one waits for the bytes; the task then
    /// continues.
    package mutating func abort(_ ticket: Ticket) -> Wait? {
        guard isWaiting(ticket) else { return nil }
        if ticket.label.isUpload { reported.insert(ticket.label) }
        return land(ticket.label)
    }

    private mutating func land(_ label: BackgroundLabel) -> Wait? {
        interruptions[label] = nil
        return waiting.removeValue(forKey: label)?.wait
    }

    // MARK: A task

    package enum Ending {
        /// A new task resumes with this data and replaces the one that ended.
        case goOn(with: Data)
        /// The call ends; the data is kept for the next one.
        case land(Wait?, Result<Void, any Error>, keeping: Data?)
    }

    /// Handles the end of a task. Only the call that waits for this task ends; a call made after a cancellation waits
    /// for another.
    ///
    /// - Parameters:
    ///   - failure: The error; `nil` for a complete download.
    ///   - isCancelled: Whether the app cancelled the task, or the user closed the app. The task is then not resumed.
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

    /// Notes that a challenge of a task was refused.
    package mutating func refuse(_ task: Int, _ error: TarmacError) { refusals[task] = error }

    /// Returns the failure of a task that has ended, and whether the app or the user cancelled it.
    package mutating func failure(
        of task: Int, _ failure: TarmacError?, isCancelled: Bool
    ) -> (failure: TarmacError?, isCancelled: Bool) {
        guard let refusal = refusals.removeValue(forKey: task) else { return (failure, isCancelled) }
        return (refusal, false)
    }

    /// Notes that a task replaces another.
    package mutating func replace(_ task: Int, by successor: Int, _ label: BackgroundLabel) {
        if waiting[label]?.task == task { waiting[label]?.task = successor }
    }

    private mutating func landing(_ task: Int, _ label: BackgroundLabel) -> Wait? { waiting[label]?.task == task ? land(label) : nil }

    // MARK: Uploads

    /// Returns how a waiting call gets the response of its upload.
    package mutating func start(_ ticket: Ticket, tasks: [BackgroundPolicy.SeenTask], upload facts: BackgroundPolicy.UploadFacts) -> BackgroundPolicy.Start {
        var facts = facts
        facts.isReported = reported.contains(ticket.label)
        let start = policy.start(ticket.label, tasks: tasks, upload: facts)
        if start == .lost { reported.insert(ticket.label) }
        if start == .begin { reported.remove(ticket.label) }
        return start
    }

    /// Handles the end of an upload's task; returns its call, if it waits.
    package mutating func end(upload task: Int, _ label: BackgroundLabel, failure: TarmacError?, isCancelled: Bool) -> (Wait?, BackgroundPolicy.UploadEnding) {
        let wait = landing(task, label), ending = policy.end(failure, isCancelled: isCancelled)
        if wait != nil, ending == .fail(forgets: false) { reported.insert(label) }
        return (wait, ending)
    }

    /// Returns the call that waits for a task.
    package func waiting(for task: Int, _ label: BackgroundLabel) -> Wait? { waiting[label].flatMap { $0.task == task ? $0.wait : nil } }

    /// Returns the place of a piece of a response in its file; `nil` if an earlier one could not be stored.
    package mutating func place(of count: Int, task: Int) -> Int64? {
        guard let place = replies[task] ?? 0 else { return nil }
        replies[task] = .some(place + Int64(count))
        return place
    }

    /// Notes that a piece of a response could not be stored.
    package mutating func spoilReply(task: Int) { replies[task] = .some(nil) }

    /// Returns the length of a response that has ended; `nil` if it could not be stored.
    package mutating func endReply(task: Int) -> Int64? { replies.removeValue(forKey: task) ?? 0 }

    // MARK: The end

    /// Counts a service that uses the session.
    package mutating func enter() { users += 1 }

    /// Counts a service as gone. Returns whether none is left, and the session closes.
    package mutating func leave() -> Bool {
        users -= 1
        return users <= 0
    }

    /// Refuses waits from now on; returns the calls that wait.
    package mutating func close() -> [Wait] {
        isClosed = true
        defer { waiting = [:] }
        return waiting.values.map(\.wait)
    }
}
