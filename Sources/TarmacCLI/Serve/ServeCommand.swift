#if Tools
import ArgumentParser
import Tarmac

/// `tarmac serve`: the demo server, until Ctrl-C.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the demo server on this machine, until Ctrl-C.")

    @Option(name: .shortAndLong, help: "The port on 127.0.0.1; 0 takes a free one.")
    var port: UInt16 = 8080

    func run() async throws {
        let server = try await start()
        let palette = Console.terminal.palette
        try Console.line("The demo server listens on \(palette.paint(server.url, .bold)). Ctrl-C ends it.\n")
        for entry in DemoRoutes.index { try Console.line("  \(palette.paint(entry.route, .cyan))\n      \(entry.what)") }
        try Console.line("\nTry: \(Invocation.name) get :\(server.port)/users/7")
        try await server.serve()
    }

    private func start() async throws -> DemoServer {
        do { return try await DemoServer(port: port) } catch {
            throw TarmacError(
                .invalidOption, "the demo server cannot listen on port \(port)", suggestion: "choose another one; --port 0 takes a free one",
                cause: error)
        }
    }
}
#endif
