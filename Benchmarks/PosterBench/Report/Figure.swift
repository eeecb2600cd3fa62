/// One number that a run came to, under a name that stays the same from run to run.
struct Figure: Codable {
    /// Words from the general to the particular, such as "memory png 2000×3000 downsampled peak".
    let name: String
    let value: Double
    /// Such as "bytes", "ms", "requests/s", "%", or "" for a ratio.
    let unit: String
    /// How much worse it may become; nil for what flickers, which is told but never fails a comparison.
    let gate: Gate?

    init(_ name: String, _ value: Double, _ unit: String, gate: Gate? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
        self.gate = gate
    }
}
