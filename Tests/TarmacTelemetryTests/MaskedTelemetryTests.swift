#if Tools
import HTTPTypes
import InMemoryTracing
import TarmacResilience
import TarmacTesting
import Testing
import Tracing

@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacTelemetry

/// Law 9: a secret is in no span, no metric and no line.
@Suite("Masked telemetry")
struct MaskedTelemetryTests {
    private static let secret = "hunter2SECRETvalue"

    private struct Login: Endpoint {
        typealias Value = String
        static let service = TarmacCore.Service.shop
        static let route: Route = .post("/login/{sessionToken}{?api_key,sig,page}")
        func parameters() throws -> ParameterList {
            ["sessionToken": secret, "api_key": secret, "sig": secret, "page": 2, "password": secret]
        }
        func configure(_ options: inout Options) {
            options.headers["Authorization"] = "Bearer \(secret)"
            options.headers["X-Api-Key"] = secret
        }
    }

    @Test(arguments: [200, 401, 500])
    func aSecretOfARequestAppearsNowhere(status: Int) async throws {
        let rig = TelemetryRig(configure: { $0.retry = .exponential(maxAttempts: 2, base: .zero) }) { _ in
            .text("the token \(Self.secret) is wrong", status: .init(code: status))
        }
        _ = try? await rig.client.send(Login())
        #expect(rig.attempts.first?.text("url.full")?.contains("sig=REDACTED") == true)
        #expect(rig.attempts.first?.text("url.full")?.contains("page=2") == true)
        #expect(!rig.everything.isEmpty && !rig.everything.contains(Self.secret), "\(rig.everything)")
    }

    @Test func aTransportThatRepeatsASecretIsMasked() async throws {
        let rig = TelemetryRig { _ in throw TarmacError(.connectionLost, phase: .sending, "closed after \(Self.secret)") }
        await #expect(throws: TarmacError.self) { try await rig.client.send(Login()) }
        #expect(rig.attempts.first?.status?.message?.contains("closed after") == true)
        #expect(!rig.everything.contains(Self.secret), "\(rig.everything)")
    }

    @Test func aRedirectThatRepeatsASecretIsMasked() async throws {
        let rig = TelemetryRig { request in
            request.url.host == "shop.example" ? .redirect(to: "https://other.example/in?token=\(Self.secret)") : .status(.notFound)
        }
        await #expect(throws: TarmacError.self) { try await rig.client.send(Login()) }
        #expect(rig.attempts.count == 2 && !rig.everything.contains(Self.secret), "\(rig.everything)")
    }

    @Test func aTemplateWithASecretIsMasked() {
        let target = CallTarget(endpoint: "Login", template: "https://shop.example/{id}?token=\(Self.secret)")
        #expect(target.template?.contains(Self.secret) == false)
    }

    @Test func noDescriptionShowsABackEnd() {
        let rig = TelemetryRig()
        #expect("\(rig.telemetry)" == "logs, metrics, traces" && "\(Telemetry.off)" == "off")
        #expect(String(reflecting: rig.telemetry) == "logs, metrics, traces")
    }
}
#endif
