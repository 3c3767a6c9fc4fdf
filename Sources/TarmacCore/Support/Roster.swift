/// Places for what comes and goes, found again by their number without searching; a place left is taken again.
package struct Roster<Element> {
    private var places: [Element?] = []
    private var free: [Int] = []

    package init() {}

    /// Takes a place; its number leaves it again.
    package mutating func enter(_ element: Element) -> Int {
        guard let place = free.popLast() else {
            places.append(element)
            return places.count - 1
        }
        places[place] = element
        return place
    }

    /// Leaves a place; returns who was there, to be let go outside of any lock.
    package mutating func leave(_ place: Int) -> Element? {
        defer { places[place] = nil }
        free.append(place)
        return places[place]
    }

    /// Everyone there.
    package var all: [Element] { places.compactMap(\.self) }
}
