#if Tools
import ArgumentParser
import Tarmac

/// `tarmac demo`: a tour of what Tarmac does, against a server of its own.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Fly a tour against a server inside this program.")

    @Option(help: TransportChoice.help)
    var transport = TransportChoice.nio

    func run() async throws {
        let server = try await DemoServer(port: 0)
        do { try await fly(server) } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func fly(_ server: DemoServer) async throws {
        let board = DepartureBoard(palette: Console.terminal.palette)
        let events = EventFeed()
        let services = [Service.demo(server), .demoShop(server), .demoWeather(server)]
        try await withClient(transport: transport.factory, services: services, configure: { $0.observers = [events] }) { client in
            try Console.line(board.header("\(transport.factory.name) → \(server.url)"))
            let tour = Tour(client: client, server: server, events: events)
            for (number, stop) in (Tour.stops + Tour.seedStops).enumerated() { try Console.line(board.row(number + 1, try await stop(tour))) }
        }
        try Console.line(board.footer(Self.next))
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
