#if Tools
import ArgumentParser

/// Streams of events against their bars; exits with 1 when one is missed.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Server-Sent Events: parsed a second, a line of 5 MB, many open streams; fails when a bar is missed.")
    @Option(help: "Events to parse.") var events = 500_000
    @Option(help: "Streams that are open at once.") var streams = 1_000
    @Flag(help: "Prints JSON.") var json = false
    @Option(help: ArgumentHelp("Reads the streams at this URL in this process.", visibility: .private)) var eventsAt: String?
    @Option(help: ArgumentHelp("Makes calls to this host beside them.", visibility: .private)) var callsAt: String?

    func run() async throws {
        if let eventsAt, let callsAt { return print(try Report.json(try await OpenStreams(count: streams).read(eventsAt, beside: callsAt))) }
        let figures = try await EventsAlone.measure(events: events, streams: streams).figures
        if json { print(try Report.json(figures)) } else { for figure in figures { print(figure.shown) } }
        if figures.contains(where: { !$0.holds }) { throw ExitCode.failure }
    }
}

extension EventsAlone.Result {
    fileprivate var figures: [Figure] {
        [
            Figure(name: "parsed", value: eventsPerSecond, unit: "events a second of one core", bar: .atLeast(100_000)),
            Figure(name: "delivered through a client", value: deliveredPerSecond, unit: "events a second of processor time", bar: nil),
            // As fast as short ones would be: the time must not grow with the square of a line's length.
            Figure(name: "a line of 5 MB", value: longLineSeconds * 1e3, unit: "ms", bar: .atMost(100)),
            Figure(name: "\(streams) open streams", value: Double(streamMemory) / 1_048_576, unit: "MiB", bar: .atMost(64)),
            Figure(name: "the slowest of 200 calls beside them", value: slowestCall * 1e3, unit: "ms", bar: .atMost(250)),
        ]
    }
}
#endif
