#if Tools
import ArgumentParser
import Tarmac
import TarmacCallLog
import TarmacInspector

/// `tarmac inspect`: the page of the call log over the demo server, with calls that go on until Ctrl-C.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Watch live calls in the browser, over the demo server, until Ctrl-C.")

    @Option(name: .shortAndLong, help: "The port of the page on 127.0.0.1; 0 takes a free one.")
    var port: UInt16 = 0

    @Option(help: "How many calls to make. Default: one after the other until Ctrl-C.")
    var calls: Int?

    @Option(help: "The milliseconds between two calls.")
    var every = 400

    @Option(help: TransportChoice.help)
    var transport = TransportChoice.nio

    @OptionGroup var record: RecordArguments

    func run() async throws {
        // The memory holds 10,000 of these calls.
        let log = CallLog(last: 10_000, bodies: .first(.kib(64)), memory: .mib(256)), recording = try CallRecording(record, log: log)
        let server = try await DemoServer(port: 0)
        do { try await recording.during { try await fly(server, log) } } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func fly(_ server: DemoServer, _ log: CallLog) async throws {
        let services = [Service.demo(server), .demoShop(server), .demoWeather(server)]
        let faults = FaultControls(), hosts = HostControls([.origin, .cdn])
        let configure = { (options: inout Options) in
            options.log = log
            options.interceptors = [hosts]
            options.attemptInterceptors = [faults]
        }
        try await withClient(transport: transport.factory, services: services, configure: configure) { client in
            // A developer who starts this command means it, also where it is built with optimization.
            let inspector = try await Inspector(
                log, client: client, environments: [.production, .test], faults: faults, hosts: hosts, port: port,
                allowsReleaseBuilds: true)
            try Console.line(inspector.url)
            Console.note("Open the address in a browser. It is for you alone. Ctrl-C ends the calls.")
            await InspectTraffic(client: client, host: server.url, pause: .milliseconds(max(0, every))).fly(calls)
            await inspector.stop()
        }
    }
}
#endif
