#if Inspector
import HTTPTypes
import TarmacCore
import TarmacCallLog

/// The actions of the page on the client.
struct ClientActions: Sendable {
    let client: Client
    let environments: [ServiceEnvironment]
    var faults: FaultControls?
    var hosts: HostControls?
    /// The longest time that a call may take that is sent again. The server gives up later.
    var longestSend = Duration.seconds(60)

    /// Sends a call of the log again, as a new call, and returns what to say about it.
    ///
    /// - Parameter isConfirmed: whether the developer has agreed to a URL that is not the service's own in the current environment.
    nonisolated(nonsending) func resend(_ entry: CallLog.Entry, isConfirmed: Bool) async throws(Refusal) -> Sent {
        let plan = try ResendPlan(entry), service = Self.service(entry.service), url = plan.request.url
        guard client.engine.knows(service) else { throw .unknownService(entry.service) }
        guard isConfirmed || (try? client.engine.runtime(service))?.owns(url.origin) == true else {
            throw Refusal(409, .otherOrigin, "\(url.authority) is no host of the service in the current environment", value: url.authority)
        }
        guard let sent = await sent(plan, service) else {
            throw Refusal(504, .tookTooLong, "the call took longer than \(longestSend), and was cancelled", value: "\(longestSend)")
        }
        return sent
    }

    /// Returns `nil` if the call takes too long.
    private nonisolated(nonsending) func sent(_ plan: ResendPlan, _ service: Service) async -> Sent? {
        await withTaskGroup(of: Sent?.self) { group in
            group.addTask {
                do {
                    let response = try await client.send(raw: plan.request, service: service)
                    return Sent(status: response.status.code, failure: nil, leftOut: plan.leftOut)
                } catch {
                    return Sent(status: nil, failure: (error as? TarmacError)?.code.name ?? "cancelled", leftOut: plan.leftOut)
                }
            }
            group.addTask {
                try? await Task.sleep(for: longestSend)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
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
            host: (try? client.engine.runtime(service))?.hosts?[.origin],
            settings: explanation.settings.filter { !$0.value.isEmpty }.map { setting in
                Settings.Row(
                    name: setting.name, value: setting.value, origin: "\(setting.origin)",
                    hidden: setting.hidden.map { Settings.Layer(origin: "\($0.origin)", value: $0.value) })
            })
    }

    struct Settings: Encodable, Sendable {
        struct Layer: Encodable, Sendable { let origin: String, value: String }
        struct Row: Encodable, Sendable { let name: String, value: String, origin: String, hidden: [Layer] }
        /// The base URL in the current environment.
        let host: String?
        let settings: [Row]
    }

    /// Switches the environment, if the page may choose it.
    func switchEnvironment(to name: String) -> Bool {
        guard let environment = environments.first(where: { $0.name == name }) else { return false }
        client.environment = environment
        return true
    }

    /// Sets the fault of a service; `nil` or an empty text for none.
    func set(fault: String?, of name: String) throws(Refusal) {
        let faults = try faultControls(of: name)
        let text = fault ?? "", chosen = ServiceFault(text)
        if chosen == nil, !text.isEmpty { throw Refusal(400, .unknownFault, "there is no such fault") }
        faults.set(chosen, of: name)
    }

    /// Sets the answer to every request of an endpoint; `nil` for that of the server.
    func set(answer: EndpointAnswer?, of name: String, _ endpoint: String) throws(Refusal) {
        let faults = try faultControls(of: answer?.service ?? name)
        guard let answer else { return faults.removeAnswer(name, endpoint) }
        guard answer.isValid else { throw Refusal(400, .unusableAnswer, "the status is no number from 200 to 599, or the content type is not valid") }
        guard faults.set(answer) else {
            throw Refusal(409, .tooManyAnswers, "there are \(EndpointAnswer.most) answers, and there may not be more", value: "\(EndpointAnswer.most)")
        }
    }

    private func faultControls(of name: String) throws(Refusal) -> FaultControls {
        guard let faults else { throw Refusal(409, .noFaults, "the inspector was given no FaultControls") }
        guard try setting("attemptInterceptors", of: name).contains("FaultControls") else {
            throw Refusal(409, .noFaults, "the client has no FaultControls; set $0.attemptInterceptors = [faults]")
        }
        return faults
    }

    /// Sets the host of a service; `nil` or an empty text for the one that an endpoint names.
    func set(host: String?, of name: String) throws(Refusal) {
        guard let hosts else { throw Refusal(409, .noHosts, "the inspector was given no HostControls") }
        guard try setting("interceptors", of: name).contains("HostControls") else {
            throw Refusal(409, .noHosts, "the client has no HostControls; set $0.interceptors = [hosts]")
        }
        let text = host ?? ""
        if text.isEmpty { return hosts.set(nil, of: name) }
        let listed = try? client.engine.runtime(Self.service(name)).hosts
        guard let kind = hosts.kinds.first(where: { $0.name == text }), listed?[kind] != nil else {
            throw Refusal(409, .unknownHost, "the service has no host \(text) in the current environment", value: text)
        }
        hosts.set(kind, of: name)
    }

    /// Returns the value of a setting for the calls of a service that the client lists.
    private func setting(_ setting: String, of name: String) throws(Refusal) -> String {
        let service = Self.service(name)
        guard client.engine.knows(service) else { throw .unknownService(name) }
        return client.explain(ServiceProbe(service: service))[setting]?.value ?? ""
    }

    /// A service without hosts and settings names the one that the client lists.
    private static func service(_ name: String) -> Service { Service(name, hosts: [:]) }
}

/// A call that is not sent, to look at the settings that all calls of a service have.
private struct ServiceProbe: Endpoint {
    typealias Value = Void
    static var route: Route { .get("/") }
    let service: Service
    var endpointName: String { "every call" }
}
#endif
