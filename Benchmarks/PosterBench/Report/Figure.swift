/// A named result of a run. Names are stable between runs.
struct Figure: Codable {
    /// Words from general to specific, such as "memory png 2000×3000 downsampled peak".
    let name: String
    let value: Double
    /// Such as "bytes", "ms", "requests/s", "%", or "" for a ratio.
    let unit: String
    /// How much worse the figure may become; `nil` for a noisy figure, which never fails a comparison.
    let gate: Gate?

    init(_ name: String, _ value: Double, _ unit: String, gate: Gate? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
        self.gate = gate
    }
}
