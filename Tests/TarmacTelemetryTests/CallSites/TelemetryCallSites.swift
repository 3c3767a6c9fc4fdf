// swift-format-ignore-file
// Laid out as the page of the reference shows it.
// The call site of the page of TarmacTelemetry: it has to compile.
#if Tools
import CoreMetrics
import Logging
import ServiceLifecycle
import TarmacCore
import TarmacTelemetry
import Tracing

private enum Page {
    static func telemetry(
        _ transport: TransportFactory, _ shop: TarmacCore.Service, _ server: any ServiceLifecycle.Service, _ logger: Logger, _ factory: any MetricsFactory,
        _ tracer: any Tracer
    ) -> ServiceGroup {
        let client = Client(transport: transport, services: [shop]) {
            $0.telemetry = Telemetry(logger: logger, metrics: factory, tracer: tracer)     // or .bootstrapped()
        }
        let group = ServiceGroup(services: [ClientService(client), server], logger: logger)
        return group
    }
}
#endif
