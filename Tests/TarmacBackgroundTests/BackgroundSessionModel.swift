import Foundation
import TarmacTesting

@testable import TarmacBackground
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// A background session with its server, which outlive the processes that use them.
struct BackgroundSessionModel {
    struct Task {
        var label: BackgroundLabel?
        var state = BackgroundPolicy.TaskState.suspended
        let body: String
    }
    enum Event {
        case completed(task: Int, failure: TarmacError?, isCancelled: Bool)
    }
    private(set) var tasks: [Int: Task] = [:]
    private var nextTask = 1
    /// The ends of tasks that no process was told of yet.
    private(set) var events: [Event] = []
    /// The bodies that the server acted on.
    private(set) var received: [[UInt8]?] = []
    /// How many outcomes were lost on their way: what a repeated request is for.
    var losses = 0

    var numbers: [Int] { tasks.keys.sorted() }
    var seen: [BackgroundPolicy.SeenTask] {
        numbers.compactMap { tasks[$0] }.map { .init(description: $0.label?.description, state: $0.state) }
    }

    mutating func makeTask(body: String) -> Int {
        defer { nextTask += 1 }
        tasks[nextTask] = Task(body: body)
        return nextTask
    }

    mutating func setLabel(_ label: BackgroundLabel, of task: Int) { tasks[task]?.label = label }
    mutating func resume(_ task: Int) { if tasks[task]?.state == .suspended { tasks[task]?.state = .running } }

    /// Lets one running task end in one of the ways in which tasks end.
    mutating func goOn(_ chance: inout SeededGenerator) {
        guard let number = numbers.first(where: { tasks[$0]?.state == .running }), let task = tasks[number] else { return }
        tasks[number]?.state = .completed
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: events.append(.completed(task: number, failure: TarmacError(.cannotFindHost, phase: .connecting), isCancelled: false))
        case 1:
            received.append(content(task.body))
            losses += 1
            events.append(.completed(task: number, failure: TarmacError(.connectionLost, phase: .waiting), isCancelled: false))
        default:
            received.append(content(task.body))
            events.append(.completed(task: number, failure: nil, isCancelled: false))
        }
    }

    /// The user closes the app, which cancels its tasks.
    mutating func cancelAll() {
        for number in numbers where tasks[number]?.state == .running || tasks[number]?.state == .suspended {
            tasks[number]?.state = .completed
            losses += 1
            events.append(.completed(task: number, failure: TarmacError(.transportFailed, phase: .sending), isCancelled: true))
        }
    }

    /// Tells a process of the next end. The task is gone with it.
    mutating func nextEvent() -> (Event, Task)? {
        guard !events.isEmpty else { return nil }
        let event = events.removeFirst()
        guard case .completed(let number, _, _) = event, let task = tasks.removeValue(forKey: number) else { return nil }
        return (event, task)
    }
}
