// page: client
import Configuration
import Tarmac
import TarmacNIO
import TarmacTelemetry

struct User: Decodable, Sendable { var id: Int, name: String }

struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let route: Route = .get("/users/{id}")
    var id: Int
}

func usersClient(_ config: ConfigReader) throws -> Client {
    let users = Service("users", host: try config.requiredString(forKey: "url"), connection: connections(config))
    return try Client(config: config, transport: .asyncHTTPClient, services: [users]) {
        $0.deadline = $0.deadline ?? .seconds(10)
        $0.queueTimeout = $0.queueTimeout ?? .seconds(1)
        $0.telemetry = .bootstrapped()
    }
}
// page end

// page: connections
func connections(_ config: ConfigReader) -> ConnectionSettings {
    ConnectionSettings {
        $0.connectionLifetime = .seconds(300)
        $0.idleConnectionTimeout = .seconds(50)
        guard let folder = config.string(forKey: "tls") else { return }
        $0.trust = .only(pemFile: "\(folder)/ca.crt")
        $0.clientIdentity = .pemFiles(certificate: "\(folder)/tls.crt", key: "\(folder)/tls.key")
    }
}
// page end
