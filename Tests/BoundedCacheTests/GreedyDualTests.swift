import Testing

@testable import BoundedCache

struct GreedyDualTests {
    private struct Outcome: Equatable {
        let isKept: Bool
        let evicted: [String]

        init(_ isKept: Bool, _ evicted: [String] = []) {
            (self.isKept, self.evicted) = (isKept, evicted)
        }
    }

    private func insert(
        _ key: String, cost: Int, worth: Double, into policy: inout GreedyDual<String>
    ) -> Outcome {
        let (isKept, evicted) = policy.insert(key, cost: cost, worth: worth)
        return Outcome(isKept, evicted)
    }

    @Test func theLeastWorthGoesFirst() {
        var policy = GreedyDual<String>(costLimit: 10)
        for (key, worth) in [("a", 3.0), ("b", 1), ("c", 2)] {
            let outcome = self.insert(key, cost: 3, worth: worth, into: &policy)
            #expect(outcome == Outcome(true))
        }
        let fourth = self.insert("d", cost: 4, worth: 5, into: &policy)
        #expect(fourth == Outcome(true, ["b"]))
        let large = self.insert("e", cost: 7, worth: 50, into: &policy)
        #expect(large == Outcome(true, ["c", "a", "d"]))
        #expect(policy.count == 1 && policy.cost == 7)
    }

    @Test func whatIsUsedStays() {
        var policy = GreedyDual<String>(costLimit: 10)
        for key in ["a", "b", "c"] { _ = self.insert(key, cost: 3, worth: 1, into: &policy) }
        policy.use("a")
        let fourth = self.insert("d", cost: 3, worth: 1, into: &policy)
        #expect(fourth == Outcome(true, ["b"]))
        let fifth = self.insert("e", cost: 3, worth: 1, into: &policy)
        #expect(fifth == Outcome(true, ["c"]))
    }

    @Test func whatIsWorthLessThanAllOthersIsNotKeptUntilTheyHaveAged() {
        var policy = GreedyDual<String>(costLimit: 10)
        for key in ["a", "b"] { _ = self.insert(key, cost: 5, worth: 10, into: &policy) }
        var refusals = 0
        while !self.insert("c", cost: 5, worth: 1, into: &policy).isKept { refusals += 1 }
        #expect(refusals == 9, "each raises the age by what it was worth")
        #expect(policy.count == 2 && policy.cost == 10)
    }

    @Test func aKeyThatComesAgainTakesItsOwnPlaceAndWhatIsTooLargeIsNotKept() {
        var policy = GreedyDual<String>(costLimit: 10)
        _ = self.insert("a", cost: 6, worth: 1, into: &policy)
        let again = self.insert("a", cost: 9, worth: 1, into: &policy)
        #expect(again == Outcome(true) && policy.count == 1 && policy.cost == 9)
        let large = self.insert("a", cost: 11, worth: 100, into: &policy)
        #expect(large == Outcome(false) && policy.count == 0 && policy.cost == 0)
        let wasThere = policy.remove("a")
        #expect(!wasThere)
    }

    @Test func theHeapIsInOrderAfterManyChanges() {
        var policy = GreedyDual<Int>(costLimit: 1000)
        var worths: [Int: Int] = [:]
        for step in 0..<3000 {
            let key = step * 7919 % 300
            switch step % 5 {
            case 0: if policy.remove(key) { worths[key] = nil }
            default:
                let (isKept, evicted) = policy.insert(key, cost: 1, worth: Double(step % 97))
                #expect(isKept && evicted.isEmpty)
                worths[key] = step % 97
            }
        }
        #expect(policy.count == worths.count && policy.cost == worths.count)
        // An entry with nearly the whole cost limit evicts nearly all others, in ascending order of worth.
        let (isKept, evicted) = policy.insert(-1, cost: 1000 - 1, worth: 1000)
        #expect(isKept && evicted.count == worths.count - 1)
        #expect(evicted.map { worths[$0] ?? -1 } == worths.values.sorted().dropLast())
    }
}
