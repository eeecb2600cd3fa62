/// A run's figures with all that they depend on, as written to and read from JSON.
struct Run: Codable {
    /// Of the file's layout. A change that older programs cannot read counts it up.
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
