@_spi(TarmacRooms) import TarmacHTTP

/// Settles a wait at a time limit.
package struct SettlementLimit<Value: Sendable>: DeadlineWatch {
    private let settlement: Settlement<Value>
    private let result: Result<Value, any Error>

    package init(_ settlement: Settlement<Value>, _ result: Result<Value, any Error>) { (self.settlement, self.result) = (settlement, result) }

    package var isDone: Bool { settlement.isSettled }

    package func expire(_ now: Moment) -> Moment? {
        settlement.settle(result)
        return nil
    }
}
