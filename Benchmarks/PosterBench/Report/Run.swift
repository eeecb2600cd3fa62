/// A run's figures with their environment, as written to and read from JSON.
struct Run: Codable {
    /// Version of the file's layout, incremented by changes that older programs cannot read.
    static let currentSchema = 1

    let schema: Int
    /// The arguments after the program's name.
    let command: [String]
    let machine: Machine
    let figures: [Figure]

    init(machine: Machine, command: [String], figures: [Figure]) {
        self.schema = Self.currentSchema
        self.command = command
        self.machine = machine
        self.figures = figures
    }
}
