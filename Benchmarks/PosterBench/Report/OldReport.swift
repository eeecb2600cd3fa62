/// Everything that was measured in one run, as it is written to JSON.
struct OldReport: Encodable {
    let machine: Machine
    /// The posters' width that was asked for, in pixels.
    let width: Int
    /// How many runs each median is of.
    let rounds: Int
    var files: [FileResult]
}
