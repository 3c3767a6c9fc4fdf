// page: main
import Configuration
import Hummingbird
import Tarmac
import TarmacTelemetry

let config = ConfigReader(provider: EnvironmentVariablesProvider())
let client = try usersClient(config.scoped(to: "users"))

let router = Router()
router.addMiddleware {
    TracingMiddleware()
    MetricsMiddleware()
    CallErrors()
}
router.get("health") { _, _ in HTTPResponse.Status.ok }
router.get("greetings/:id") { _, context in
    let user = try await client.send(GetUser(id: context.parameters.require("id", as: Int.self)))
    return "Hello, \(user.name)!\n"
}

let app = Application(
    router: router, configuration: ApplicationConfiguration(reader: config.scoped(to: "http")), services: [ClientService(client)])
try await app.runService()
// page end
