#if !Telemetry
/// The telemetry of TarmacTelemetry, which needs the trait Telemetry.
@available(*, unavailable, message: "enable the trait Telemetry of the package tarmac")
public struct Telemetry {}

@available(*, unavailable, message: "enable the trait Telemetry of the package tarmac")
public struct ClientService {}
#endif
