@_spi(TarmacRooms) import TarmacCore

/// A work of a room outside of the package, which sees the authors' interface and nothing else: a call and its repetition.
struct Twice<Base: Endpoint>: Work {
    let base: Base

    var _plan: WorkPlan<[Base.Value], Int> {
        WorkPlan("twice") {
            WorkTraits(service: base.service, tags: $0.options.tags)
        } perform: { run, progress in
            var values: [Base.Value] = []
            for count in 1...2 {
                values.append(try await run.client.send(base) { $0 = run.options })
                progress?(count)
            }
            return WorkResult(values)
        }
    }
}
