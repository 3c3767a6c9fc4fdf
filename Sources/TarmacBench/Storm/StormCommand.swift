#if Tools
import ArgumentParser
import Foundation
import Tarmac
import TarmacCore
import TarmacNIO
import TarmacURLSession

/// The client's half of `scripts/fault-storm --minutes`: calls of every kind against a server that the script puts behind a broken link.
///
/// The name of a phase is printed when it begins: `warm`, `storm`, `drain`, `over`; each second the number of calls that have ended. The last
/// line is a ``StormReport``.
struct StormCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storm", abstract: "Calls of every kind through the faults of scripts/fault-storm.", shouldDisplay: false)
    @Argument var transport: Transport
    @Option(name: .customLong("base-url")) var baseURL: String
    @Option(help: "Where the files and the notes go.") var folder: String
    @Option(help: "The authorities to trust, in a file that changes.") var trust: String?
    @Option var seed: UInt64 = 1
    @Option(help: "Seconds of the storm.") var seconds = 60
    @Option(help: "Seconds without a fault before it.") var warmUp = 10

    func run() async throws {
        let factory: TransportFactory = transport == .nio ? .asyncHTTPClient : .urlSession
        let notes = try StormNotes(path: folder + "/notes")
        let site = StormSite(url: baseURL, folder: folder, transport: factory, hasConnectTimeout: transport == .nio, trust: trust)
        let watch = Self.watch(notes, seconds: warmUp + seconds + Self.patience)
        let count = Self.count(notes)
        defer {
            watch.cancel()
            count.cancel()
        }
        Self.say("warm")
        // What is opened once for a process, such as event loops, is open after a whole life of a client.
        try await Storm(site: site, notes: notes, seed: seed, life: 0).run(seconds: warmUp)
        let before = Descriptors.now()
        Self.say("storm")
        let storm = Storm(site: site, notes: notes, seed: seed, life: 1)
        try await storm.run(seconds: seconds) { Self.say("drain") }
        let after = await Descriptors.settled(at: before.count)
        var report = notes.report
        report.descriptorsBefore = before.count
        report.descriptorsLeft = Descriptors.added(after, before)
        Self.say("over")
        try Self.finish(report)
    }

    /// The longest time, in seconds, from the end of the storm to that of everything.
    private static let patience = 300

    /// Ends the process with a report when something hangs.
    private static func watch(_ notes: StormNotes, seconds: Int) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: .seconds(seconds))
            notes.violated("something hangs: \(notes.flying)")
            try finish(notes.report)
            Foundation.exit(1)
        }
    }

    private static func count(_ notes: StormNotes) -> Task<Void, any Error> {
        Task {
            while true {
                try await Task.sleep(for: .seconds(1))
                say("\(notes.report.landings)")
            }
        }
    }

    private static func finish(_ report: StormReport) throws {
        say(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
    }

    private static func say(_ text: String) {
        print(text)
        fflush(nil)
    }
}
#endif
