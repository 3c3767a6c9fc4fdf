#if Tools
import ArgumentParser
import Foundation
import Tarmac
import TarmacCallLog
import TarmacInspector

/// `tarmac demo`: a tour of what Tarmac does, against a server of its own.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Fly a tour against a server inside this program, in English or Chinese.")

    @Option(help: TransportChoice.help)
    var transport = TransportChoice.nio

    @Option(help: "Fly one stop alone: its code on the board, such as TA104.")
    var stop: String?

    @Option(help: "The language of the tour: en or zh. Default: that of the terminal (LC_ALL, LC_MESSAGES, LANG).")
    var language: TourLanguage?

    @Flag(help: "Show the calls of the tour in the browser as well; the page stays until Ctrl-C.")
    var inspect = false

    @OptionGroup var record: RecordArguments

    func validate() throws { _ = try stops() }

    func run() async throws { try await fly { try Console.line($0) } }

    private var spoken: TourLanguage { language ?? TourLanguage(environment: ProcessInfo.processInfo.environment) }

    private func stops() throws -> [TourStop] { try Tour.stops(named: stop, in: spoken) }

    /// - Parameter write: writes a text and a line end.
    func fly(write: (String) throws -> Void) async throws {
        let log = inspect ? CallLog(last: 2_000, bodies: .first(.kib(64))) : nil
        let recording = try CallRecording(record, log: log), server = try await DemoServer(port: 0)
        do { try await recording.during { try await fly(server, recording, log, write) } } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// - Parameter log: the log of the page.
    private func fly(_ server: DemoServer, _ recording: CallRecording, _ log: CallLog?, _ write: (String) throws -> Void) async throws {
        let (events, language, stops) = (EventFeed(), spoken, try stops())
        let board = DepartureBoard(palette: Console.terminal.palette, language: language)
        let services = [Service.demo(server), .demoShop(server), .demoWeather(server)]
        let controls = log.map { _ in (faults: FaultControls(), hosts: HostControls([.origin, .cdn])) }
        let configure = { (options: inout Options) in
            if let controls {
                options.interceptors = [controls.hosts]
                options.attemptInterceptors = [controls.faults]
            }
            options.observers = [events]
            language.configure(&options)
            recording.configure(&options)
        }
        try await withClient(transport: transport.factory, services: services, configure: configure) { client in
            let inspector = try await inspector(log, client, controls?.faults, controls?.hosts)
            if let inspector { try write(Sentence.page.text(in: language, inspector.url)) }
            let tour = Tour(client: client, server: server, events: events, language: language)
            try await tour.fly(stops, over: transport.factory.name, on: board, write: write)
            try write(board.footer(TourEnding(language: language, program: Invocation.name, page: inspector?.url).lines))
            if let inspector { await stay(inspector) }
        }
    }

    private func inspector(_ log: CallLog?, _ client: Client, _ faults: FaultControls?, _ hosts: HostControls?) async throws -> Inspector? {
        guard let log else { return nil }
        return try await Inspector(
            log, client: client, environments: [.production, .test], faults: faults, hosts: hosts, allowsReleaseBuilds: true)
    }

    /// The page stays until Ctrl-C.
    private func stay(_ inspector: Inspector) async {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        await inspector.stop()
    }
}
#endif
