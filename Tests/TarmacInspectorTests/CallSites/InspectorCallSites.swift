// swift-format-ignore-file
// Laid out as the page of the reference shows it.
// The call site of the page of TarmacInspector: it has to compile.
import TarmacCallLog
import TarmacCore
import TarmacInspector

private enum Page {
    static func inspector(_ transport: TransportFactory, _ shop: Service) async throws -> Inspector {
        let log = CallLog(last: 1_000, bodies: .first(.kib(64)))
        let client = Client(transport: transport, services: [shop]) { $0.log = log }
        let inspector = try await Inspector(log, client: client, environments: [.production, .staging])
        print(inspector.url)          // http://127.0.0.1:53124/?token=…
        return inspector
    }
}
