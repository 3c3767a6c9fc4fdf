#if Tools
import ArgumentParser
import Tarmac
import TarmacInspector

/// `tarmac demo`: a tour of what Tarmac does, against a server of its own.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Fly a tour against a server inside this program.")

    @Option(help: TransportChoice.help)
    var transport = TransportChoice.nio

    @Flag(help: "Show the calls of the tour in the browser as well; the page stays until Ctrl-C.")
    var inspect = false

    @OptionGroup var record: RecordArguments

    func run() async throws {
        let log = inspect ? CallLog(last: 2_000, bodies: .first(.kib(64))) : nil
        let recording = try CallRecording(record, log: log), server = try await DemoServer(port: 0)
        do { try await recording.during { try await fly(server, recording, log) } } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// - Parameter log: the log of the page.
    private func fly(_ server: DemoServer, _ recording: CallRecording, _ log: CallLog?) async throws {
        let board = DepartureBoard(palette: Console.terminal.palette)
        let events = EventFeed()
        let services = [Service.demo(server), .demoShop(server), .demoWeather(server)]
        let configure = { (options: inout Options) in
            options.observers = [events]
            recording.configure(&options)
        }
        try await withClient(transport: transport.factory, services: services, configure: configure) { client in
            let inspector = try await inspector(log, client)
            try Console.line(board.header("\(transport.factory.name) → \(server.url)"))
            let tour = Tour(client: client, server: server, events: events)
            for (number, stop) in (Tour.stops + Tour.seedStops).enumerated() { try Console.line(board.row(number + 1, try await stop(tour))) }
            try Console.line(board.footer(Self.next))
            if let inspector { await stay(inspector) }
        }
    }

    private func inspector(_ log: CallLog?, _ client: Client) async throws -> Inspector? {
        guard let log else { return nil }
        let inspector = try await Inspector(log, client: client, environments: [.production, .test], allowsReleaseBuilds: true)
        try Console.line("The calls in the browser: \(inspector.url)")
        return inspector
    }

    /// The page stays until Ctrl-C.
    private func stay(_ inspector: Inspector) async {
        Console.note("The page stays until Ctrl-C: \(inspector.url)")
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        await inspector.stop()
    }

    private static let next = [
        "What to read next",
        "  README.md                      the first call in your own package, in a minute",
        "  Documentation/Architecture.md  the way of one call through the house",
        "  Sources/TarmacCLI/Demo         this tour",
        "  Documentation/MovingFrom       from QSPNetworking, BQRequest, YTKNetwork, XFNetwork, LMNetwork, Alamofire, Moya",
        "What to try next",
        "  \(Invocation.name) serve",
        "  \(Invocation.name) get :8080/users/7 --verbose   (in another terminal, while that runs)",
    ]
}
#endif
