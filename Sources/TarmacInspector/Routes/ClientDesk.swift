#if Inspector
import HTTPTypes
import TarmacCore
import TarmacLog

/// What the page does with the client.
struct ClientDesk: Sendable {
    let client: Client
    let environments: [ServiceEnvironment]

    /// Sends a call of the log again, as a new call, and returns what to say about it.
    nonisolated(nonsending) func resend(_ entry: CallLog.Entry) async throws(ResendPlan.Reason) -> Sent {
        let plan = try ResendPlan(entry)
        let service = Self.service(entry.service)
        guard client.engine.knows(service) else {
            throw ResendPlan.Reason("the client does not list the service \(entry.service); list it in services: [...] of the client")
        }
        do {
            let response = try await client.send(raw: plan.request, service: service)
            return Sent(status: response.status.code, failure: nil, leftOut: plan.leftOut)
        } catch {
            return Sent(status: nil, failure: (error as? TarmacError)?.code.name ?? "cancelled", leftOut: plan.leftOut)
        }
    }

    struct Sent: Encodable, Sendable {
        let status: Int?
        /// The code alone; the log has the error.
        let failure: String?
        let leftOut: [String]
    }

    /// Returns the settings of calls to a service, layer by layer.
    func settings(of name: String) -> Settings? {
        let service = Self.service(name)
        guard client.engine.knows(service) else { return nil }
        let explanation = client.explain(ServiceProbe(service: service))
        return Settings(
            settings: explanation.settings.filter { !$0.value.isEmpty }.map { setting in
                Settings.Row(
                    name: setting.name, value: setting.value, origin: "\(setting.origin)",
                    hidden: setting.hidden.map { Settings.Layer(origin: "\($0.origin)", value: $0.value) })
            })
    }

    struct Settings: Encodable, Sendable {
        struct Layer: Encodable, Sendable { let origin: String, value: String }
        struct Row: Encodable, Sendable { let name: String, value: String, origin: String, hidden: [Layer] }
        let settings: [Row]
    }

    /// Switches the environment, if the page may choose it.
    func switchEnvironment(to name: String) -> Bool {
        guard let environment = environments.first(where: { $0.name == name }) else { return false }
        client.environment = environment
        return true
    }

    /// Services are compared by their names, so the host of this one is never used for a service that the client lists.
    private static func service(_ name: String) -> Service { Service(name, host: "http://service.invalid") }
}

/// A call that is not sent, to look at the settings that all calls of a service have.
private struct ServiceProbe: Endpoint {
    typealias Value = Void
    static var route: Route { .get("/") }
    let service: Service
    var endpointName: String { "every call" }
}
#endif
