// The three streams that a command is started with. Not what is read or written there.
#ifndef PTEPROOF_CLI_IO_STANDARD_STREAMS_H_
#define PTEPROOF_CLI_IO_STANDARD_STREAMS_H_

namespace pteproof {

// Takes the numbers of those that are closed, so that no file that is opened later gets them and is
// read or written in their stead. Using them fails as before.
void HoldClosedStreams();

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_STANDARD_STREAMS_H_
