// The words of meaning/ that the proofs speak in.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_VOCABULARY_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_VOCABULARY_H_

#include "meaning/handles.h"
#include "meaning/name_events.h"
#include "meaning/program_meaning.h"

namespace pteproof::proofs {

using meaning::Block;
using meaning::Handles;
using meaning::LiveName;
using meaning::Make;
using meaning::MethodFlow;
using meaning::MethodMeaning;
using meaning::NameEvents;
using meaning::Phase;
using meaning::Place;
using meaning::Point;
using meaning::PointOf;
using meaning::Read;
using meaning::Role;
using meaning::Step;
using meaning::Transfer;
using meaning::Write;

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_VOCABULARY_H_
