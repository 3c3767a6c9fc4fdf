/// The rules for two fields of the same name in an object.
enum ParameterDuplicates {
    private struct Place: Hashable {
        let name: String
        let placement: Parameter.Placement
    }

    /// Keeps the last value of a field that is encoded twice, as every encoder does. Two placed fields of one
    /// name are two properties and cause an error, so that none is dropped silently.
    static func resolve(_ members: inout [Parameter]) throws(ParameterFault) {
        guard hasDuplicates(members) else { return }
        var positions: [Place: Int] = [:]
        var kept: [Parameter] = []
        for parameter in members {
            let place = Place(name: parameter.name, placement: parameter.placement)
            if let position = positions[place] {
                guard place.placement == .automatic else {
                    throw ParameterFault([place.name], "two fields have this name and the placement \(place.placement.rawValue)")
                }
                kept[position] = parameter
            } else {
                positions[place] = kept.count
                kept.append(parameter)
            }
        }
        members = kept
    }

    /// Refuses two members of the same name, which a JSON object must not have (RFC 8259 §4). A transform may
    /// produce them in a list.
    static func refuseNamesakes(in members: [Parameter]) throws(ParameterFault) {
        if members.count > 16, Set(members.map(\.name)).count == members.count { return }
        for (index, member) in members.enumerated().dropFirst() where members[..<index].contains(where: { $0.name == member.name }) {
            throw ParameterFault([member.name], "two parameters have this name")
        }
    }

    private static func hasDuplicates(_ members: [Parameter]) -> Bool {
        if members.count > 16 {
            return Set(members.map { Place(name: $0.name, placement: $0.placement) }).count < members.count
        }
        // The loop uses indices, because a copy of a parameter costs more than the comparison.
        for index in members.indices.dropFirst() {
            for other in 0..<index where members[other].name == members[index].name {
                if members[other].placement == members[index].placement { return true }
            }
        }
        return false
    }
}
