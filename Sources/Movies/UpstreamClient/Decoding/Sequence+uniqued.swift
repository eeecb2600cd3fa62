extension Sequence where Element: Hashable {
    /// Each element once, where it came first.
    package var uniqued: [Element] {
        var known: Set<Element> = []
        return self.filter { known.insert($0).inserted }
    }
}
