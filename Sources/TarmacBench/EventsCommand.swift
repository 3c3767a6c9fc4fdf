#if Tools
import ArgumentParser

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Server-Sent Events: parsed a second, a line of 5 MB, many open streams. Bars: 100,000 events a second, 64 MiB.")
    @Option(help: "Events to parse.") var events = 500_000
    @Option(help: "Streams that are open at once.") var streams = 1_000
    @Flag(help: "Prints JSON.") var json = false

    func run() async throws {
        let result = try await EventsAlone.measure(events: events, streams: streams)
        if json { return print(try Report.json(result)) }
        print("parsed       \(Int(result.eventsPerSecond)) events a second of one core")
        print("delivered    \(Int(result.deliveredPerSecond)) events a second of processor time, through a client")
        print("5 MB line    \((result.longLineSeconds * 1_000).shown) ms")
        print("\(result.streams) streams  \(result.streamMemory >> 20) MiB, server included")
        print("calls beside them: the slowest of 200 took \((result.slowestCall * 1_000).shown) ms")
    }
}
#endif
